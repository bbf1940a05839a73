"""The reference set, as a component file: invented, and checked like anybody's transcription.

Every count, name and number that the rulebook's text gives is kept; all else is made up.
"""

from typing import Final

REFERENCE: Final = """\
schema = "great-wall-components/1"
set_id = "great-wall-reference-0"
provenance = "invented-reference"
transcribed_from = ""
clans = ["green", "blue", "red", "yellow"]

horde = [
  {id="h1-l", back="left", power=1, reward=3, spots=["ow....", "2....."]},
  {id="h1-c", back="centre", power=1, reward=3, spots=["ow....", "2....."]},
  {id="h1-r", back="right", power=1, reward=3, spots=["ow....", "2....."]},
  {id="h2-l", back="left", power=2, reward=4, spots=["oc....", "s....."]},
  {id="h2-c", back="centre", power=2, reward=4, spots=["oc....", "s....."]},
  {id="h2-r", back="right", power=2, reward=4, spots=["oc....", "s....."]},
  {id="h3-l", back="left", power=2, reward=4, spots=["o2....", "og...."]},
  {id="h3-c", back="centre", power=2, reward=4, spots=["o2....", "og...."]},
  {id="h3-r", back="right", power=2, reward=4, spots=["o2....", "og...."]},
  {id="h4-l", back="left", power=3, reward=5, spots=["ow....", "c1...."], ability=[
    {stat="power", by=2, when="front"},
  ]},
  {id="h4-c", back="centre", power=3, reward=5, spots=["ow....", "c1...."], ability=[
    {stat="power", by=2, when="front"},
  ]},
  {id="h4-r", back="right", power=3, reward=5, spots=["ow....", "c1...."], ability=[
    {stat="power", by=2, when="front"},
  ]},
  {id="h5-l", back="left", power=3, reward=6, spots=["o1c...", "sg...."], ability=[
    {stat="immune", to="horseman", when="always"},
  ]},
  {id="h5-c", back="centre", power=3, reward=6, spots=["o1c...", "sg...."], ability=[
    {stat="immune", to="horseman", when="always"},
  ]},
  {id="h5-r", back="right", power=3, reward=6, spots=["o1c...", "sg...."], ability=[
    {stat="immune", to="horseman", when="always"},
  ]},
  {id="h6-l", back="left", power=4, reward=7, spots=["owo...", "c2...."], ability=[
    {stat="immune", to="archer", when="front"},
  ]},
  {id="h6-c", back="centre", power=4, reward=7, spots=["owo...", "c2...."], ability=[
    {stat="immune", to="archer", when="front"},
  ]},
  {id="h6-r", back="right", power=4, reward=7, spots=["owo...", "c2...."], ability=[
    {stat="immune", to="archer", when="front"},
  ]},
  {id="h7-l", back="left", power=5, reward=8, spots=["ocg...", "1so..."], ability=[
    {stat="mortality", by=1, when="always"},
  ]},
  {id="h7-c", back="centre", power=5, reward=8, spots=["ocg...", "1so..."], ability=[
    {stat="mortality", by=1, when="always"},
  ]},
  {id="h7-r", back="right", power=5, reward=8, spots=["ocg...", "1so..."], ability=[
    {stat="mortality", by=1, when="always"},
  ]},
  {id="h8-l", back="left", power=6, reward=10, spots=["o2wo..", "gc1..."], ability=[
    {stat="barricade", by=-1, when="front"},
  ]},
  {id="h8-c", back="centre", power=6, reward=10, spots=["o2wo..", "gc1..."], ability=[
    {stat="barricade", by=-1, when="front"},
  ]},
  {id="h8-r", back="right", power=6, reward=10, spots=["o2wo..", "gc1..."], ability=[
    {stat="barricade", by=-1, when="front"},
  ]},
]

coop_horde = [
  {id="k1-l", back="left", power=1, reward=3, spots=["ow....", "2....."]},
  {id="k1-c", back="centre", power=1, reward=3, spots=["ow....", "2....."]},
  {id="k1-r", back="right", power=1, reward=3, spots=["ow....", "2....."]},
  {id="k2-l", back="left", power=1, reward=4, spots=["oc....", "s....."]},
  {id="k2-c", back="centre", power=1, reward=4, spots=["oc....", "s....."]},
  {id="k2-r", back="right", power=1, reward=4, spots=["oc....", "s....."]},
  {id="k3-l", back="left", power=1, reward=4, spots=["o2....", "og...."]},
  {id="k3-c", back="centre", power=1, reward=4, spots=["o2....", "og...."]},
  {id="k3-r", back="right", power=1, reward=4, spots=["o2....", "og...."]},
  {id="k4-l", back="left", power=2, reward=5, spots=["ow....", "c1...."], ability=[
    {stat="power", by=2, when="front"},
  ]},
  {id="k4-c", back="centre", power=2, reward=5, spots=["ow....", "c1...."], ability=[
    {stat="power", by=2, when="front"},
  ]},
  {id="k4-r", back="right", power=2, reward=5, spots=["ow....", "c1...."], ability=[
    {stat="power", by=2, when="front"},
  ]},
  {id="k5-l", back="left", power=2, reward=6, spots=["o1c...", "sg...."], ability=[
    {stat="immune", to="horseman", when="always"},
  ]},
  {id="k5-c", back="centre", power=2, reward=6, spots=["o1c...", "sg...."], ability=[
    {stat="immune", to="horseman", when="always"},
  ]},
  {id="k5-r", back="right", power=2, reward=6, spots=["o1c...", "sg...."], ability=[
    {stat="immune", to="horseman", when="always"},
  ]},
  {id="k6-l", back="left", power=3, reward=7, spots=["owo...", "c2...."], ability=[
    {stat="immune", to="archer", when="front"},
  ]},
  {id="k6-c", back="centre", power=3, reward=7, spots=["owo...", "c2...."], ability=[
    {stat="immune", to="archer", when="front"},
  ]},
  {id="k6-r", back="right", power=3, reward=7, spots=["owo...", "c2...."], ability=[
    {stat="immune", to="archer", when="front"},
  ]},
  {id="k7-l", back="left", power=4, reward=8, spots=["ocg...", "1so..."], ability=[
    {stat="mortality", by=1, when="always"},
  ]},
  {id="k7-c", back="centre", power=4, reward=8, spots=["ocg...", "1so..."], ability=[
    {stat="mortality", by=1, when="always"},
  ]},
  {id="k7-r", back="right", power=4, reward=8, spots=["ocg...", "1so..."], ability=[
    {stat="mortality", by=1, when="always"},
  ]},
  {id="k8-l", back="left", power=5, reward=10, spots=["o2wo..", "gc1..."], ability=[
    {stat="barricade", by=-1, when="front"},
  ]},
  {id="k8-c", back="centre", power=5, reward=10, spots=["o2wo..", "gc1..."], ability=[
    {stat="barricade", by=-1, when="front"},
  ]},
  {id="k8-r", back="right", power=5, reward=10, spots=["o2wo..", "gc1..."], ability=[
    {stat="barricade", by=-1, when="front"},
  ]},
]

strategy = [
  {id="attack-order", blocks=[
    {who="self", do=[{op="clerks", n=2}]},
    {who="others", do=[{op="clerks", n=1}]},
    {who="self", do=[{op="attack"}]},
  ]},
  {id="betrayal", blocks=[
    {who="self", do=[{op="copy", else=[{op="clerks", n=2}]}]},
    {who="others", do=[{op="clerks", n=1}]},
  ]},
  {id="economy", blocks=[
    {who="self", do=[{op="clerks", n=3}]},
    {who="others", do=[{op="clerks", n=2}]},
    {who="self", do=[{op="take", of="any", n=1}]},
  ]},
  {id="despotism", blocks=[
    {who="self", do=[{op="clerks", n=2, bonus={card="economy", n=2}}]},
    {who="others", do=[{op="clerks", n=1}]},
    {who="self", do=[{op="activate"}]},
  ]},
  {id="labour", blocks=[
    {who="self", do=[{op="clerks", n=2}]},
    {who="others", do=[{op="clerks", n=2}]},
    {who="self", do=[{op="upgrade", n=1}]},
  ]},
  {id="drill", blocks=[
    {who="self", do=[{op="clerks", n=2}]},
    {who="others", do=[{op="clerks", n=2}]},
    {who="self", do=[{op="tactic", n=1}]},
  ]},
]

reed_strategy = [
  {id="reed", blocks=[{who="self", do=[{op="clerks", n=2}]}, {who="others", do=[{op="clerks", n=1}]}]},
]

solo_strategy = [
  {id="attack-order", blocks=[
    {who="self", do=[{op="clerks", n=2}]},
    {who="others", do=[{op="clerks", n=1}]},
    {who="self", do=[{op="recruit", kind="archer", n=1}]},
  ]},
  {id="betrayal", blocks=[
    {who="self", do=[{op="clerks", n=2}]},
    {who="others", do=[{op="clerks", n=1}]},
    {who="self", do=[{op="honour", n=3}]},
  ]},
  {id="economy", blocks=[
    {who="self", do=[{op="clerks", n=3}]},
    {who="others", do=[{op="clerks", n=2}]},
    {who="self", do=[{op="honour", n=1, per="assistant"}]},
  ]},
  {id="despotism", blocks=[
    {who="self", do=[{op="clerks", n=2}]},
    {who="others", do=[{op="clerks", n=1}]},
    {who="self", do=[{op="activate"}]},
  ]},
  {id="labour", blocks=[
    {who="self", do=[{op="clerks", n=2}]},
    {who="others", do=[{op="clerks", n=2}]},
    {who="self", do=[{op="wall"}]},
  ]},
  {id="drill", blocks=[
    {who="self", do=[{op="clerks", n=2}]},
    {who="others", do=[{op="clerks", n=2}]},
    {who="self", do=[{op="recruit", kind="spearman", n=1}]},
  ]},
]

general = [
  {id="song-ci", start={wood=4, stone=4, gold=4, chi=4}, tactics=2, tea=32, on="upgrade", do=[
    {op="honour", n=2, per="assistant"},
  ]},
  {id="general-02", start={wood=3, stone=5, gold=4, chi=4}, tactics=1, tea=64, on="tactic", do=[
    {op="gain", res="chi", n=1, per="assistant"},
  ]},
  {id="general-03", start={wood=5, stone=3, gold=4, chi=4}, tactics=2, tea=12, on="donate", do=[
    {op="honour", n=1, per="assistant"},
  ]},
  {id="general-04", start={wood=4, stone=5, gold=3, chi=4}, tactics=1, tea=44, on="recruit", do=[
    {op="gain", res="wood", n=1, per="assistant"},
  ]},
  {id="general-05", start={wood=3, stone=4, gold=5, chi=4}, tactics=2, tea=76, on="cover", do=[
    {op="honour", n=1, per="assistant"},
  ]},
  {id="general-06", start={wood=5, stone=4, gold=3, chi=4}, tactics=1, tea=24, on="shoot", do=[
    {op="honour", n=1, per="assistant"},
  ]},
  {id="general-07", start={wood=4, stone=3, gold=5, chi=4}, tactics=2, tea=56, on="barricade", do=[
    {op="honour", n=1, per="assistant"},
  ]},
  {id="general-08", start={wood=5, stone=5, gold=3, chi=3}, tactics=1, tea=88, on="wall", do=[
    {op="gain", res="chi", n=2, per="assistant"},
  ]},
  {id="general-09", start={wood=3, stone=5, gold=5, chi=3}, tactics=2, tea=36, on="hire", do=[
    {op="gain", res="gold", n=1, per="assistant"},
  ]},
  {id="general-10", start={wood=5, stone=3, gold=5, chi=3}, tactics=1, tea=68, on="claim", do=[
    {op="honour", n=3, per="assistant"},
  ]},
  {id="general-11", start={wood=4, stone=4, gold=5, chi=3}, tactics=2, tea=16, on="killed", do=[
    {op="gain", res="chi", n=1, per="assistant"},
  ]},
  {id="general-12", start={wood=5, stone=4, gold=4, chi=3}, tactics=1, tea=48, on="income", do=[
    {op="gain", res="stone", n=1, per="assistant"},
  ]},
  {id="general-13", start={wood=4, stone=5, gold=4, chi=3}, tactics=2, tea=80, on="share", do=[
    {op="honour", n=1, per="assistant"},
  ]},
]

coop_general = [
  {id="coop-general-1", start={wood=4, stone=4, gold=4, chi=4}, tactics=1, tea=28, on="saved", do=[
    {op="gain", res="chi", n=1, per="assistant"},
  ]},
  {id="coop-general-2", start={wood=3, stone=5, gold=4, chi=4}, tactics=2, tea=60, on="shame", do=[
    {op="gain", res="gold", n=1, per="assistant"},
  ]},
  {id="coop-general-3", start={wood=5, stone=3, gold=4, chi=4}, tactics=1, tea=92, on="income", do=[
    {op="gain", res="wood", n=1, per="assistant"},
  ]},
  {id="coop-general-4", start={wood=4, stone=5, gold=3, chi=4}, tactics=2, tea=40, on="income", do=[
    {op="gain", res="gold", n=1, per="assistant"},
  ]},
  {id="coop-general-5", start={wood=3, stone=4, gold=5, chi=4}, tactics=1, tea=72, on="wall", do=[
    {op="honour", n=3, per="assistant"},
  ]},
  {id="coop-general-6", start={wood=5, stone=4, gold=3, chi=4}, tactics=2, tea=20, on="share", do=[
    {op="gain", res="chi", n=1, per="assistant"},
  ]},
  {id="coop-general-7", start={wood=4, stone=3, gold=5, chi=4}, tactics=1, tea=52, on="hold", do=[
    {op="honour", n=1, per="assistant"},
  ]},
  {id="coop-general-8", start={wood=5, stone=5, gold=3, chi=3}, tactics=2, tea=84, on="recruit", do=[
    {op="gain", res="stone", n=1, per="assistant"},
  ]},
]

solo_general = [
  {id="qin-jiushao", track=[
    "wood",
    "stone",
    "gold",
    "chi",
    "wound",
  ], on="income", do=[{op="honour", n=1, per="assistant"}]},
]

reed_general = [
  {id="reed-a"},
  {id="reed-b"},
]

advisor = [
  {id="a01", on="upgrade", do=[{op="gain", res="wood", n=1}]},
  {id="a02", on="upgrade", do=[{op="gain", res="gold", n=1}]},
  {id="a03", on="upgrade", do=[{op="gain", res="chi", n=1}]},
  {id="a04", on="upgrade", do=[{op="honour", n=2}]},
  {id="a05", on="donate", do=[{op="gain", res="wood", n=1}]},
  {id="a06", on="donate", do=[{op="gain", res="gold", n=1}]},
  {id="a07", on="donate", do=[{op="gain", res="chi", n=1}]},
  {id="a08", on="donate", do=[{op="honour", n=2}]},
  {id="a09", on="recruit", do=[{op="gain", res="wood", n=1}]},
  {id="a10", on="recruit", do=[{op="gain", res="gold", n=1}]},
  {id="a11", on="recruit", do=[{op="gain", res="chi", n=1}]},
  {id="a12", on="recruit", do=[{op="honour", n=2}]},
  {id="a13", on="cover", do=[{op="gain", res="wood", n=1}]},
  {id="a14", on="cover", do=[{op="gain", res="gold", n=1}]},
  {id="a15", on="cover", do=[{op="gain", res="chi", n=1}]},
  {id="a16", on="cover", do=[{op="honour", n=2}]},
  {id="a17", on="shoot", do=[{op="gain", res="wood", n=1}]},
  {id="a18", on="shoot", do=[{op="gain", res="gold", n=1}]},
  {id="a19", on="shoot", do=[{op="gain", res="chi", n=1}]},
  {id="a20", on="shoot", do=[{op="honour", n=2}]},
  {id="a21", on="barricade", do=[{op="gain", res="wood", n=1}]},
  {id="a22", on="barricade", do=[{op="gain", res="gold", n=1}]},
  {id="a23", on="barricade", do=[{op="gain", res="chi", n=1}]},
  {id="a24", on="barricade", do=[{op="honour", n=2}]},
  {id="a25", on="wall", do=[{op="gain", res="wood", n=1}]},
  {id="a26", on="wall", do=[{op="gain", res="gold", n=1}]},
  {id="a27", on="wall", do=[{op="gain", res="chi", n=1}]},
  {id="a28", on="wall", do=[{op="honour", n=2}]},
  {id="a29", on="hire", do=[{op="gain", res="wood", n=1}]},
  {id="a30", on="hire", do=[{op="gain", res="gold", n=1}]},
  {id="a31", on="hire", do=[{op="gain", res="chi", n=1}]},
  {id="a32", on="hire", do=[{op="honour", n=2}]},
  {id="a33", on="tactic", do=[{op="gain", res="wood", n=1}]},
  {id="a34", on="tactic", do=[{op="gain", res="gold", n=1}]},
  {id="a35", on="tactic", do=[{op="gain", res="chi", n=1}]},
  {id="a36", on="tactic", do=[{op="honour", n=2}]},
  {id="a37", on="share", do=[{op="gain", res="wood", n=1}]},
  {id="a38", on="share", do=[{op="gain", res="gold", n=1}]},
  {id="a39", on="share", do=[{op="gain", res="chi", n=1}]},
  {id="a40", on="share", do=[{op="honour", n=2}]},
  {id="a41", on="income", do=[{op="gain", res="wood", n=1}]},
  {id="a42", on="income", do=[{op="gain", res="gold", n=1}]},
  {id="a43", on="income", do=[{op="gain", res="chi", n=1}]},
  {id="a44", on="income", do=[{op="honour", n=2}]},
]

tactic = [
  {id="retreat", copies=2, window="losses", base=[{op="save", n=1}], boost_chi=2, boosted=[
    {op="save", n=99},
  ]},
  {id="restless", copies=2, window="strategy", base=[
    {op="upgrade", n=1},
  ], boost_chi=2, boosted=[{op="upgrade", n=2}]},
  {id="courier", copies=2, window="strategy", base=[
    {op="clerks", n=1},
  ], boost_chi=1, boosted=[{op="clerks", n=2}]},
  {id="harvest", copies=2, window="strategy", base=[
    {op="gain", res="wood", n=1},
    {op="gain", res="stone", n=1},
  ], boost_chi=1, boosted=[{op="gain", res="wood", n=2}, {op="gain", res="stone", n=2}]},
  {id="tribute", copies=2, window="summer", base=[
    {op="gain", res="gold", n=2},
  ], boost_chi=1, boosted=[{op="gain", res="gold", n=4}]},
  {id="ambush", copies=2, window="strategy", base=[
    {op="wound", n=1, line=1},
  ], boost_chi=2, boosted=[{op="wound", n=2, line=3}]},
  {id="volley", copies=2, window="fire", base=[
    {op="wound", n=1, line=1},
  ], boost_chi=1, boosted=[{op="wound", n=2, line=1}]},
  {id="palisade", copies=2, window="strategy", base=[
    {op="barricade", n=1},
  ], boost_chi=2, boosted=[{op="barricade", n=2}]},
  {id="atonement", copies=2, window="summer", base=[
    {op="cleanse", n=1},
  ], boost_chi=2, boosted=[{op="cleanse", n=2}]},
  {id="ceremony", copies=2, window="resolve", base=[{op="tea", n=1}], boost_chi=1, boosted=[
    {op="tea", n=2},
    {op="honour", n=2},
  ]},
]

coop_tactic = [
  {id="relief", copies=2, window="losses", base=[{op="save", n=2}], boost_chi=1, boosted=[
    {op="save", n=99},
  ]},
  {id="supplies", copies=2, window="resolve", base=[
    {op="take", of="any", n=1},
  ], boost_chi=1, boosted=[{op="take", of="any", n=3}]},
  {id="drums", copies=2, window="fire", base=[
    {op="wound", n=1, line=3},
  ], boost_chi=2, boosted=[{op="wound", n=2, line=3}]},
  {id="masons", copies=2, window="strategy", base=[
    {op="barricade", n=1},
  ], boost_chi=1, boosted=[{op="barricade", n=2}]},
  {id="council", copies=2, window="strategy", base=[
    {op="tactic", n=1},
  ], boost_chi=1, boosted=[{op="tactic", n=2}]},
  {id="penance", copies=2, window="shame", base=[{op="honour", n=3}], boost_chi=2, boosted=[
    {op="honour", n=10},
  ]},
]

artefact = [
  {id="artefact-1", count="claimed", n=3},
  {id="artefact-2", count="advisor", n=2},
  {id="artefact-3", count="foreman-level", n=2},
  {id="artefact-4", count="soldier-out", n=2},
  {id="artefact-5", count="clerk", n=2},
]

request = [
  {id="warriors-for-the-guard", two_players=false, scope="each", sacrifice={spearman=1}},
  {id="royal-escort", two_players=false, scope="each", sacrifice={horseman=1}},
  {id="glory-to-the-emperor", two_players=false, scope="each", honour=4},
  {id="taunt-and-triumph", two_players=false, scope="state", needs={claimed=3}},
  {id="request-05", two_players=true, scope="each", pay={wood=2}},
  {id="request-06", two_players=true, scope="each", pay={stone=2}},
  {id="request-07", two_players=true, scope="each", pay={gold=2}},
  {id="request-08", two_players=true, scope="each", pay={chi=2}},
  {id="request-09", two_players=true, scope="each", sacrifice={archer=1}},
  {id="request-10", two_players=true, scope="one", pay={gold=4, wood=2}},
  {id="request-11", two_players=true, scope="state", needs={wall-levels=1}},
  {id="request-12", two_players=true, scope="state", needs={hordes-a-section=2}},
]

event = [
  {id="event-01", immediate=[{op="lose", res="wood", n=2}]},
  {id="event-02", immediate=[{op="lose", res="stone", n=2}]},
  {id="event-03", immediate=[{op="lose", res="gold", n=2}]},
  {id="event-04", immediate=[{op="lose", res="chi", n=2}], passive=[{stat="save-cost", by=1}]},
  {id="event-05", immediate=[{op="honour", n=3}], passive=[{stat="mortality", by=1}]},
  {id="event-06", immediate=[{op="gain", res="stone", n=2}], passive=[{stat="power", by=1}]},
  {id="event-07", immediate=[{op="gain", res="wood", n=2}], passive=[{stat="barricade", by=-1}]},
  {id="event-08", immediate=[{op="gain", res="gold", n=1}], passive=[{stat="income", by=-1}]},
  {id="event-09", immediate=[{op="gain", res="chi", n=1}], passive=[{stat="donation", by=-1}]},
  {id="event-10", immediate=[{op="honour", n=5}], passive=[{stat="spring", by=1}]},
  {id="event-11", immediate=[{op="shame", n=1}]},
  {id="event-12", immediate=[{op="tactic", n=1}], passive=[{stat="power", by=1}]},
]

wall = [
  {level=0, defence=3, firing=1, next_wsg=5, honour=0},
  {level=1, defence=7, firing=2, next_wsg=10, honour=5},
  {level=2, defence=11, firing=3, next_wsg=15, honour=10},
  {level=3, defence=16, firing=4, next_wsg=0, honour=15},
]

[prices]
shame_chi = 2
save_chi = 2
clerk_gold = 2
donation_honour = 2
barricade_wsg = 2
barricade_honour = 2
barricade_defence = 2
spearman = {stone=2, wood=1}
archer = {chi=2, wood=1}
horseman = {gold=3, wood=1}

[[board]]
side = "2-3"
players = [1, 2, 3]
strategy_spaces = 4
time = [
  {mortality=1, hordes=0},
  {mortality=1, hordes=2},
  {mortality=1, hordes=2},
  {mortality=2, hordes=2},
  {mortality=2, hordes=2},
  {mortality=2, hordes=3},
]
location = [
  {id="sawmill", kind="standard", slots=5, shame=true, resource="wood", foreman=[{chi=2}, {chi=3}, {chi=4}]},
  {id="quarry", kind="standard", slots=4, shame=true, resource="stone", foreman=[{chi=2}, {chi=3}, {chi=4}]},
  {id="gold-mine", kind="standard", slots=3, shame=true, resource="gold", foreman=[
    {chi=2},
    {chi=3},
    {chi=4},
  ]},
  {id="temple", kind="standard", slots=3, shame=true, resource="chi", foreman=[
    {gold=2},
    {gold=3},
    {gold=4},
  ]},
  {id="barracks", kind="standard", slots=3, shame=true},
  {id="tea-house", kind="standard", slots=3, shame=false},
  {id="builders", kind="special", shame=false},
  {id="embassy", kind="special", shame=false},
  {id="logistics", kind="special", shame=false},
  {id="academy", kind="special", shame=false},
]

[[board]]
side = "4"
players = [4]
strategy_spaces = 4
time = [
  {mortality=1, hordes=0},
  {mortality=1, hordes=3},
  {mortality=2, hordes=3},
  {mortality=2, hordes=3},
  {mortality=2, hordes=4},
]
location = [
  {id="sawmill", kind="standard", slots=6, shame=true, resource="wood", foreman=[{chi=2}, {chi=3}, {chi=4}]},
  {id="quarry", kind="standard", slots=5, shame=true, resource="stone", foreman=[{chi=2}, {chi=3}, {chi=4}]},
  {id="gold-mine", kind="standard", slots=4, shame=true, resource="gold", foreman=[
    {chi=2},
    {chi=3},
    {chi=4},
  ]},
  {id="temple", kind="standard", slots=4, shame=true, resource="chi", foreman=[
    {gold=2},
    {gold=3},
    {gold=4},
  ]},
  {id="barracks", kind="standard", slots=3, shame=true},
  {id="tea-house", kind="standard", slots=3, shame=false},
  {id="builders", kind="special", shame=false},
  {id="embassy", kind="special", shame=false},
  {id="logistics", kind="special", shame=false},
  {id="academy", kind="special", shame=false},
]
"""
