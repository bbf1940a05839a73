"""The reference set, as a component file: invented, and checked like anybody's transcription."""

from typing import Final

REFERENCE: Final = """\
# Khan component set: REFERENCE, INVENTED. Not the published board, pieces, values or cards.
# It has every count that the rulebook states, and nothing else of the published game.
schema = "khan-components/1"
set_id = "khan-reference-0"
provenance = "invented-reference"   # the other legal value is "transcribed"
transcribed_from = ""               # edition, printing, who, when: required when transcribed

[board]
# row 0 is north, column 0 is west
cells = [
  "MMMM~IIIII~TTT",
  "MMMM~IIIII~TTT",
  "MMMM~IIIII~TTT",
  "MMMM~IIIII~TTT",
  "MMMM~~~~~~~TTT",
  "MMRSSSS~TTTTTT",
  "RRRRSSS~FFFFFT",
  "RRRRSSS~~FFFFF",
  "RRRRSSSS~FFFFF",
  "RRRRSSSS~FFFFF",
  "RRRRSSSS~FFFFF",
]
# same size; "+" = land cell that touches a neighbouring territory
neighbour = [
  "..++.+++++.+++",
  ".............+",
  ".............+",
  "+............+",
  "+............+",
  "+............+",
  "+............+",
  "+............+",
  "+............+",
  "+.............",
  "++++...+.++...",
]

[board.legend]
M = "mountain"
I = "ice"
T = "tundra"
R = "rock"
S = "sand"
F = "forest"
"~" = "river"
" " = "off"

[[leader]]
id = "seljuk"
name = "Seljuk"
colour = "grey"
start = [8, 1]

[[leader]]
id = "rus"
name = "Rus"
colour = "light-blue"
start = [1, 2]

[[leader]]
id = "leader-3"
name = "(not known)"
colour = "placeholder-3"
start = [1, 7]

[[leader]]
id = "leader-4"
name = "(not known)"
colour = "placeholder-4"
start = [1, 12]

[[leader]]
id = "leader-5"
name = "(not known)"
colour = "placeholder-5"
start = [5, 5]

[[leader]]
id = "leader-6"
name = "(not known)"
colour = "placeholder-6"
start = [5, 10]

[[leader]]
id = "leader-7"
name = "(not known)"
colour = "placeholder-7"
start = [9, 5]

[[leader]]
id = "leader-8"
name = "(not known)"
colour = "placeholder-8"
start = [8, 11]

[[shape]]
id = "T2"
kind = "tile"
cells = ["##"]
copies = 4
value = 2

[[shape]]
id = "T3I"
kind = "tile"
cells = ["###"]
copies = 4
value = 3

[[shape]]
id = "T3V"
kind = "tile"
cells = ["##", "#."]
copies = 4
value = 3

[[shape]]
id = "T4I"
kind = "tile"
cells = ["####"]
copies = 1
value = 5

[[shape]]
id = "T4O"
kind = "tile"
cells = ["##", "##"]
copies = 1
value = 5

[[shape]]
id = "T4T"
kind = "tile"
cells = ["###", ".#."]
copies = 1
value = 5

[[shape]]
id = "T4S"
kind = "tile"
cells = ["##.", ".##"]
copies = 1
value = 5

[[shape]]
id = "T4L"
kind = "tile"
cells = ["###", "#.."]
copies = 1
value = 5

[[shape]]
id = "T6A"
kind = "tile"
cells = ["###", "###"]
copies = 1
value = 9

[[shape]]
id = "T6B"
kind = "tile"
cells = ["####", "##.."]
copies = 1
value = 9

[[shape]]
id = "T6C"
kind = "tile"
cells = ["####", ".##."]
copies = 1
value = 9

[[shape]]
id = "T6D"
kind = "tile"
cells = ["####", "#..#"]
copies = 1
value = 9

[[shape]]
id = "T6E"
kind = "tile"
cells = ["#####", "#...."]
copies = 1
value = 9

[[shape]]
id = "T6F"
kind = "tile"
cells = ["#####", ".#..."]
copies = 1
value = 9

[[shape]]
id = "T6G"
kind = "tile"
cells = ["#####", "..#.."]
copies = 1
value = 9

[[shape]]
id = "T6H"
kind = "tile"
cells = ["###.", ".###"]
copies = 1
value = 9

[[shape]]
id = "T6I"
kind = "tile"
cells = ["##..", ".##.", "..##"]
copies = 1
value = 9

[[shape]]
id = "T6J"
kind = "tile"
cells = [".#..", "####", ".#.."]
copies = 1
value = 9

[[shape]]
id = "T6K"
kind = "tile"
cells = ["###", ".#.", ".##"]
copies = 1
value = 9

[[shape]]
id = "T6L"
kind = "tile"
cells = ["###", "#..", "##."]
copies = 1
value = 9

[[shape]]
id = "B3I"
kind = "bridge"
cells = ["###"]
copies = 5
value = 4
water = 1

[[shape]]
id = "B4I"
kind = "bridge"
cells = ["####"]
copies = 2
value = 6
water = 1

[[shape]]
id = "B4L"
kind = "bridge"
cells = ["###", "#.."]
copies = 2
value = 7
water = 2

[cards]   # per leader, nine "direction:ground" faces
seljuk = [
  "N:mountain", "NE:ice", "E:tundra", "SE:rock", "S:sand",
  "SW:forest", "W:river", "NW:neighbour", "N:joker",
]
rus = [
  "NE:mountain", "E:ice", "SE:tundra", "S:rock", "SW:sand",
  "W:forest", "NW:river", "N:neighbour", "NE:joker",
]
leader-3 = [
  "E:mountain", "SE:ice", "S:tundra", "SW:rock", "W:sand",
  "NW:forest", "N:river", "NE:neighbour", "E:joker",
]
leader-4 = [
  "SE:mountain", "S:ice", "SW:tundra", "W:rock", "NW:sand",
  "N:forest", "NE:river", "E:neighbour", "SE:joker",
]
leader-5 = [
  "S:mountain", "SW:ice", "W:tundra", "NW:rock", "N:sand",
  "NE:forest", "E:river", "SE:neighbour", "S:joker",
]
leader-6 = [
  "SW:mountain", "W:ice", "NW:tundra", "N:rock", "NE:sand",
  "E:forest", "SE:river", "S:neighbour", "SW:joker",
]
leader-7 = [
  "W:mountain", "NW:ice", "N:tundra", "NE:rock", "E:sand",
  "SE:forest", "S:river", "SW:neighbour", "W:joker",
]
leader-8 = [
  "NW:mountain", "N:ice", "NE:tundra", "E:rock", "SE:sand",
  "S:forest", "SW:river", "W:neighbour", "NW:joker",
]

[special]   # copies in the box
high-morale = 6
protection = 4
gods-support = 4
exploration = 4
"""
