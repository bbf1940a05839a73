"""Flows in small networks, compared with trying everything."""

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from rules.kernel.flows import Arc, is_feasible

NODES = st.sampled_from("abcd")


def arcs() -> st.SearchStrategy[Arc]:
    return st.builds(Arc, NODES, NODES, st.integers(0, 2), st.integers(0, 2))


@given(st.lists(arcs(), max_size=6))
def test_a_flow_is_found_exactly_where_one_exists(network: list[Arc]) -> None:
    amounts = product(*(range(arc.least, arc.most + 1) for arc in network))

    assert is_feasible(network) == any(_balances(network, flow) for flow in amounts)


def _balances(network: list[Arc], flow: tuple[int, ...]) -> bool:
    surplus = dict.fromkeys("abcd", 0)
    for arc, amount in zip(network, flow, strict=True):
        surplus[arc.start] -= amount
        surplus[arc.end] += amount
    return not any(surplus.values())
