"""Goofspiel with dealt hands: secret bids for prizes that chance turns up."""

from typing import Final, NewType, TypeAlias

from msgspec import Struct, structs

from rules.kernel import api as k

Card = NewType("Card", int)
CARDS: Final = k.Names("123456789", Card, "goofspiel-0")
DECKS: Final = {None: "prizes", k.Seat(0): "suit-1", k.Seat(1): "suit-2", k.Seat(2): "suit-3"}

BOOK: Final = k.Rulebook("GOOF", "docs/your-own-game.md")
TURN: Final = BOOK.rule("TURN-1", "Only those who are awaited act, as they are asked")
DECK: Final = BOOK.rule("DECK-1", "Each seat draws from a suit of its own, in which every card exists once")
HAND: Final = BOOK.rule("HAND-1", "A bid is a card of one's own hand")
PRIZE: Final = BOOK.rule("PRIZE-1", "The highest bid takes the prize", "it follows from the bids")
TIE: Final = BOOK.ruling(
    "tie", "AMB-1", "Who gets a tied prize?", "It is shorter.", discard="Nobody.", carry="The next winner."
)


class Draw(Struct, frozen=True, tag=True, array_like=True):
    seat: k.Seat | None  # a card is dealt to a seat, or a prize is turned up


class Bidding(Struct, frozen=True, tag=True, array_like=True): ...


Task: TypeAlias = Draw | Bidding


class DrawCard(Struct, frozen=True):
    card: Card | None


class Bid(Struct, frozen=True):
    card: Card | None


Move: TypeAlias = DrawCard | Bid


class CardDrawn(Struct, frozen=True):
    seat: k.Seat | None
    card: Card | None


class BidMade(Struct, frozen=True):
    seat: k.Seat
    card: Card | None


class BidsRevealed(Struct, frozen=True):
    cards: tuple[Card, ...]


Event: TypeAlias = CardDrawn | BidMade | BidsRevealed

CARD: Final[k.Named[object, Card]] = k.Named("card", lambda _: CARDS)
FACE, FACES, WHOM = CARD.or_unknown(), CARD.or_unknown().several(), k.SEAT.or_word("table")
TASKS: Final[k.Statements[k.Setup, Task]] = k.Statements(
    Task, k.phrase("draw", Draw, WHOM), k.phrase("bids", Bidding)
)
MOVES: Final[k.Statements[k.Setup, Move]] = k.Statements(
    Move, k.phrase("draw", DrawCard, FACE, chance=True), k.phrase("bid", Bid, FACE)
)
EVENTS: Final[k.Statements[k.Setup, Event]] = k.Statements(
    Event, k.fact(CardDrawn, WHOM, FACE), k.fact(BidMade, k.SEAT, FACE), k.fact(BidsRevealed, CARD.several())
)


class State(Struct, frozen=True):
    table: k.Setup
    prizes: tuple[Card, ...]
    pot: int
    points: tuple[int, ...]
    played: tuple[Card, ...]  # round by round, in the order of the seats
    bids: tuple[tuple[Card | None, ...], ...]
    hands: tuple[tuple[Card | None, ...], ...]
    agenda: tuple[Task, ...]


def start(setup: k.Setup) -> State:
    seats = k.seats_of(setup)
    agenda: tuple[Task, ...] = (*map(Draw, seats * 4), *(Draw(None), Bidding()) * 4)
    return State(setup, (), 0, (0,) * len(seats), (), ((),) * len(seats), ((),) * len(seats), agenda)


def evolve(state: State, event: Event) -> State:
    rest = state.agenda[1:]
    if isinstance(event, BidMade):
        return structs.replace(state, bids=k.with_at(state.bids, event.seat, (event.card,)))
    if isinstance(event, BidsRevealed):
        best = [seat for seat, card in enumerate(event.cards) if card == max(event.cards)]
        return structs.replace(
            state,
            pot=state.pot if len(best) > 1 and ("tie", "carry") in state.table.rulings else 0,
            points=tuple(had + state.pot * (best == [seat]) for seat, had in enumerate(state.points)),
            played=state.played + event.cards,
            bids=((),) * len(state.bids),
            hands=tuple(map(k.removed, state.hands, event.cards)),
            agenda=rest,
        )
    if event.seat is not None:
        hand = k.added(state.hands[event.seat], event.card)
        return structs.replace(state, hands=k.with_at(state.hands, event.seat, hand), agenda=rest)
    prize = () if event.card is None else (event.card,)
    return structs.replace(state, prizes=state.prizes + prize, pot=state.pot + sum(prize, 1), agenda=rest)


def drawn(state: State, seat: k.Seat | None) -> tuple[Card | None, ...]:
    return state.prizes if seat is None else state.hands[seat] + state.played[seat :: len(state.hands)]


def not_in_deck(case: k.TaskCase[State, Draw, DrawCard]) -> k.Breach | None:
    card, seat = case.move.card, case.task.seat
    if seat is not None and card is not None and case.state.table.draws is k.UNRECORDED:
        return k.Breach("hands are not recorded in this match")
    there = seat is not None if card is None else card not in drawn(case.state, seat)
    return None if there else k.Breach("it is not in the deck")


def may_hold(state: State, seat: k.Seat, card: Card | None) -> bool:
    return card in state.hands[seat] or (None in state.hands[seat] and card not in drawn(state, seat))


def not_in_hand(case: k.TaskCase[State, Bidding, Bid]) -> k.Breach | None:
    held = case.move.card is not None and may_hold(case.state, case.seat, case.move.card)
    return None if held else k.Breach("it is not in the hand")


DRAW: Final = k.task(State, Draw, TURN, lambda _, __: (k.CHANCE,)).takes(
    DrawCard,
    (k.Check(DECK, not_in_deck),),
    each=lambda _, __: map(DrawCard, (*CARDS.number_of.values(), None)),
    then=lambda case: (CardDrawn(case.task.seat, case.move.card),),
)
BIDDING: Final = k.simultaneous(State, Bidding, TURN, lambda state: state.bids, BidsRevealed).takes(
    Bid,
    (k.Check(HAND, not_in_hand),),
    each=lambda _, __: map(Bid, CARDS.number_of.values()),
    then=lambda case: (BidMade(case.seat, case.move.card),),
)

VIEWS: Final[k.Views[State, Move, Event]] = k.Views(
    State,
    k.hidden("hands", k.face_down),
    k.hidden("bids", k.face_down),
    k.secret(DrawCard, "card", lambda state, _: top.seat if (top := k.due_now(state.agenda, Draw)) else None),
    k.secret(CardDrawn, "card", lambda _, event: event.seat),
    k.secret_choice(Bid, "card"),
    k.secret(BidMade, "card", lambda _, event: event.seat),
)


def problems(state: State) -> tuple[str, ...]:
    plan, seats = start(state.table).agenda, k.seats_of(state.table)
    done = plan[: len(plan) - len(state.agenda)]
    decks = [drawn(state, seat) for seat in (None, *seats)]
    sizes = [*(done.count(Draw(seat)) for seat in (None, *seats)), done.count(Bidding()) * len(seats)]
    bids = [(seat, card) for seat in seats for card in state.bids[seat] if card is not None]
    faults = {
        "what is pending is no part of a match": done + state.agenda != plan,
        "too few or too many cards are gone": [*map(len, decks), len(state.played)] != sizes,
        "a card exists twice": any(len({*deck} - {None}) + deck.count(None) < len(deck) for deck in decks),
        "a bid is not in its hand": not all(may_hold(state, seat, card) for seat, card in bids),
    }
    return tuple(why for why, wrong in faults.items() if wrong)


def taken(state: State, due: Draw) -> tuple[str, int]:
    return DECKS[due.seat], len(drawn(state, due.seat))


POINTS: Final = k.number("points", 45)
GOOFSPIEL: Final[k.Plugin[State, k.Setup, Move, Event]] = k.standard_game(
    BOOK.first_edition("goofspiel", "Goofspiel", "traditional", CARDS.source, TURN, DECK, HAND, PRIZE, TIE),
    State,
    Task,
    DRAW,
    BIDDING,
    seats=(2, 3),
    max_entries=40,
    moves=MOVES,
    events=EVENTS,
    views=VIEWS,
    sections=(
        k.keyed("prizes", CARD.several()),
        k.keyed("pot", POINTS),
        k.keyed("played", CARD.several()),
        k.of_seats("then", k.column("points", POINTS), k.column("bids", FACES), k.column("hands", FACES)),
        k.keyed("then", k.Tasks(TASKS), field="agenda"),
    ),
    start=start,
    evolve=evolve,
    problems=problems,
    outcome=lambda state: None if state.agenda else k.by_points(state.points, "hands-empty"),
    chance=k.single_draws(tuple(DECKS.values()), CARDS, Draw, taken, DrawCard),
    panels=lambda state, _: (k.HandPanel("Prizes", tuple(k.PanelToken(str(p + 1)) for p in state.prizes)),),
)
