"""The reference set ZHG-REF-1: invented components that keep every count of the rulebook."""

from typing import Final

REFERENCE: Final = """\
# Reference components: invented for testing; not the published cards, tiles or boards.
# Results are not comparable with the published game.

schema = "zhanguo-components/1"
cards = [
  "1,recruit,ZHG-ABL-01,",
  "2,elixir,ZHG-ABL-02,general",
  "3,governor,ZHG-ABL-05,",
  "4,hire,ZHG-ABL-08,governor",
  "5,palace,ZHG-ABL-09,writing+currency",
  "6,wall,ZHG-ABL-10,",
  "7,recruit,ZHG-ABL-02,alchemist",
  "8,elixir,ZHG-ABL-03,",
  "9,governor,ZHG-ABL-06,",
  "10,hire,ZHG-ABL-08,wall",
  "11,palace,ZHG-ABL-09,writing+laws",
  "12,wall,ZHG-ABL-11,writing",
  "13,recruit,ZHG-ABL-02,architect",
  "14,elixir,ZHG-ABL-04,",
  "15,governor,ZHG-ABL-07,",
  "16,hire,ZHG-ABL-08,palace",
  "17,palace,ZHG-ABL-09,currency+laws",
  "18,wall,ZHG-ABL-11,currency",
  "19,recruit,ZHG-ABL-02,general",
  "20,elixir,ZHG-ABL-05,",
  "21,governor,ZHG-ABL-08,governor",
  "22,hire,ZHG-ABL-09,writing+currency",
  "23,palace,ZHG-ABL-10,",
  "24,wall,ZHG-ABL-11,laws",
  "25,recruit,ZHG-ABL-03,",
  "26,elixir,ZHG-ABL-06,",
  "27,governor,ZHG-ABL-08,wall",
  "28,hire,ZHG-ABL-09,writing+laws",
  "29,palace,ZHG-ABL-11,writing",
  "30,wall,ZHG-ABL-01,",
  "31,recruit,ZHG-ABL-04,",
  "32,elixir,ZHG-ABL-07,",
  "33,governor,ZHG-ABL-08,palace",
  "34,hire,ZHG-ABL-09,currency+laws",
  "35,palace,ZHG-ABL-11,currency",
  "36,wall,ZHG-ABL-01,",
  "37,recruit,ZHG-ABL-05,",
  "38,elixir,ZHG-ABL-08,governor",
  "39,governor,ZHG-ABL-09,writing+currency",
  "40,hire,ZHG-ABL-10,",
  "41,palace,ZHG-ABL-11,laws",
  "42,wall,ZHG-ABL-02,alchemist",
  "43,recruit,ZHG-ABL-06,",
  "44,elixir,ZHG-ABL-08,wall",
  "45,governor,ZHG-ABL-09,writing+laws",
  "46,hire,ZHG-ABL-11,writing",
  "47,palace,ZHG-ABL-01,",
  "48,wall,ZHG-ABL-02,architect",
  "49,recruit,ZHG-ABL-07,",
  "50,elixir,ZHG-ABL-08,palace",
  "51,governor,ZHG-ABL-09,currency+laws",
  "52,hire,ZHG-ABL-11,currency",
  "53,palace,ZHG-ABL-01,",
  "54,wall,ZHG-ABL-02,general",
  "55,recruit,ZHG-ABL-08,governor",
  "56,elixir,ZHG-ABL-09,writing+currency",
  "57,governor,ZHG-ABL-10,",
  "58,hire,ZHG-ABL-11,laws",
  "59,palace,ZHG-ABL-02,alchemist",
  "60,wall,ZHG-ABL-03,",
  "61,recruit,ZHG-ABL-08,wall",
  "62,elixir,ZHG-ABL-09,writing+laws",
  "63,governor,ZHG-ABL-11,writing",
  "64,hire,ZHG-ABL-01,",
  "65,palace,ZHG-ABL-02,architect",
  "66,wall,ZHG-ABL-04,",
  "67,recruit,ZHG-ABL-08,palace",
  "68,elixir,ZHG-ABL-09,currency+laws",
  "69,governor,ZHG-ABL-11,currency",
  "70,hire,ZHG-ABL-01,",
  "71,palace,ZHG-ABL-02,general",
  "72,wall,ZHG-ABL-05,",
  "73,recruit,ZHG-ABL-09,writing+currency",
  "74,elixir,ZHG-ABL-10,",
  "75,governor,ZHG-ABL-11,laws",
  "76,hire,ZHG-ABL-02,alchemist",
  "77,palace,ZHG-ABL-03,",
  "78,wall,ZHG-ABL-06,",
  "79,recruit,ZHG-ABL-09,writing+laws",
  "80,elixir,ZHG-ABL-11,writing",
  "81,governor,ZHG-ABL-01,",
  "82,hire,ZHG-ABL-02,architect",
  "83,palace,ZHG-ABL-04,",
  "84,wall,ZHG-ABL-07,",
  "85,recruit,ZHG-ABL-09,currency+laws",
  "86,elixir,ZHG-ABL-11,currency",
  "87,governor,ZHG-ABL-01,",
  "88,hire,ZHG-ABL-02,general",
  "89,palace,ZHG-ABL-05,",
  "90,wall,ZHG-ABL-08,governor",
  "91,recruit,ZHG-ABL-10,",
  "92,elixir,ZHG-ABL-11,laws",
  "93,governor,ZHG-ABL-02,alchemist",
  "94,hire,ZHG-ABL-03,",
  "95,palace,ZHG-ABL-06,",
  "96,wall,ZHG-ABL-08,wall",
  "97,recruit,ZHG-ABL-11,writing",
  "98,elixir,ZHG-ABL-01,",
  "99,governor,ZHG-ABL-02,architect",
  "100,hire,ZHG-ABL-04,",
  "101,palace,ZHG-ABL-07,",
  "102,wall,ZHG-ABL-08,palace",
  "103,recruit,ZHG-ABL-11,currency",
  "104,elixir,ZHG-ABL-01,",
  "105,governor,ZHG-ABL-02,general",
  "106,hire,ZHG-ABL-05,",
  "107,palace,ZHG-ABL-08,governor",
  "108,wall,ZHG-ABL-09,writing+currency",
  "109,recruit,ZHG-ABL-11,laws",
  "110,elixir,ZHG-ABL-02,alchemist",
  "111,governor,ZHG-ABL-03,",
  "112,hire,ZHG-ABL-06,",
  "113,palace,ZHG-ABL-08,wall",
  "114,wall,ZHG-ABL-09,writing+laws",
  "115,recruit,ZHG-ABL-01,",
  "116,elixir,ZHG-ABL-02,architect",
  "117,governor,ZHG-ABL-04,",
  "118,hire,ZHG-ABL-07,",
  "119,palace,ZHG-ABL-08,palace",
  "120,wall,ZHG-ABL-09,currency+laws",
]

[set]
id = "zhg-ref-1"
edition = "none"
provenance = "reference-invented"

[[alchemist]]
effect = "ZHG-ALC-01"
trigger = "hire"

[[alchemist]]
effect = "ZHG-ALC-02"
trigger = "recruit"

[[alchemist]]
effect = "ZHG-ALC-03"
trigger = "governor"

[[alchemist]]
effect = "ZHG-ALC-04"
trigger = "elixir"

[[alchemist]]
effect = "ZHG-ALC-05"
trigger = "palace"

[[master]]
effect = "ZHG-MAS-01"
trigger = "elixir"

[[master]]
effect = "ZHG-MAS-02"
trigger = "wall"

[[master]]
effect = "ZHG-MAS-03"
trigger = "governor"

[[master]]
effect = "ZHG-MAS-04"
trigger = "hire"

[[master]]
effect = "ZHG-MAS-05"
trigger = "palace"

[[emperor]]
id = "E1"
site = "A"
triggers = ["recruit", "hire"]

[[emperor]]
id = "E2"
site = "A"
triggers = ["elixir", "palace"]

[[emperor]]
id = "E3"
site = "B"
triggers = ["governor", "wall"]

[[emperor]]
id = "E4"
site = "B"
triggers = ["recruit", "palace"]

[[emperor]]
id = "E5"
site = "C"
triggers = ["elixir", "wall"]

[[emperor]]
id = "E6"
site = "C"
triggers = ["governor", "hire"]

[[wall_tile]]
id = "W1"
faces = ["ZHG-WAL-01", "ZHG-WAL-10"]

[[wall_tile]]
id = "W2"
faces = ["ZHG-WAL-02", "ZHG-WAL-09"]

[[wall_tile]]
id = "W3"
faces = ["ZHG-WAL-03", "ZHG-WAL-11"]

[[wall_tile]]
id = "W4"
faces = ["ZHG-WAL-04", "ZHG-WAL-12"]

[[wall_tile]]
id = "W5"
faces = ["ZHG-WAL-05", "ZHG-WAL-07"]

[[wall_tile]]
id = "W6"
faces = ["ZHG-WAL-06", "ZHG-WAL-08"]

[[wall_tile]]
id = "W7"
faces = ["ZHG-WAL-14", "ZHG-WAL-13"]

[side.p2]
palace_spaces = { chu = [2, 2], wei = [2, 2], zhao = [2, 2], qi = [2, 2], yan = [2, 2] }
[side.p2.wall]
AL = [[3, 2], [2, 2]]
AR = [[2, 2], [1, 2]]
BL = [[3, 2], [1, 2]]
BR = [[3, 2], [1, 2]]
CL = [[3, 2], [2, 2]]
CR = [[2, 2], [1, 2]]

[side.p34]
palace_spaces = { chu = [2, 2, 4], wei = [2, 2, 4], zhao = [2, 2, 4], qi = [2, 2, 4], yan = [2, 2, 4] }
[side.p34.wall]
AL = [[3, 2], [2, 2], [2, 4], [1, 2]]
AR = [[3, 2], [2, 2], [2, 4], [1, 2]]
BL = [[3, 2], [2, 2], [2, 4], [1, 2]]
BR = [[3, 2], [2, 2], [2, 4], [1, 2]]
CL = [[3, 2], [2, 2], [2, 4], [1, 2]]
CR = [[3, 2], [2, 2], [2, 4], [1, 2]]

[elixir]
length = 20
one = [3, 6, 10, 13, 16]
two = [20]
master = [12]
vp = [[4, 1], [8, 2], [12, 3], [16, 4], [20, 5]]

[[mausoleum_spot]]
row = 1
col = 1
kind = "region"
target = "chu"

[[mausoleum_spot]]
row = 1
col = 2
kind = "wall"
target = "A"

[[mausoleum_spot]]
row = 1
col = 3
kind = "region"
target = "wei"

[[mausoleum_spot]]
row = 2
col = 1
kind = "wall"
target = "B"

[[mausoleum_spot]]
row = 2
col = 2
kind = "elixir"
target = "elixir"

[[mausoleum_spot]]
row = 2
col = 3
kind = "region"
target = "zhao"

[[mausoleum_spot]]
row = 3
col = 1
kind = "region"
target = "qi"

[[mausoleum_spot]]
row = 3
col = 2
kind = "wall"
target = "C"

[[mausoleum_spot]]
row = 3
col = 3
kind = "region"
target = "yan"

[[mausoleum_tile]]
id = "MR1"
kind = "region"
need = { governors = 2 }
slots = [[9, 2], [6, 3], [4, 2], [2, 3]]

[[mausoleum_tile]]
id = "MR2"
kind = "region"
need = { palaces = 2 }
slots = [[9, 2], [6, 3], [4, 2], [2, 3]]

[[mausoleum_tile]]
id = "MR3"
kind = "region"
need = { governors = 1, palaces = 1 }
slots = [[9, 2], [6, 3], [4, 2], [2, 3]]

[[mausoleum_tile]]
id = "MR4"
kind = "region"
need = { governors = 2, palaces = 1 }
slots = [[9, 2], [6, 3], [4, 2], [2, 3]]

[[mausoleum_tile]]
id = "MR5"
kind = "region"
need = { governors = 1, palaces = 1, cards = 3 }
slots = [[9, 2], [6, 3], [4, 2], [2, 3]]

[[mausoleum_tile]]
id = "MW1"
kind = "wall"
need = { walls = 2 }
slots = [[9, 2], [6, 3], [4, 2], [2, 3]]

[[mausoleum_tile]]
id = "MW2"
kind = "wall"
need = { walls = 2 }
slots = [[9, 2], [6, 3], [4, 2], [2, 3]]

[[mausoleum_tile]]
id = "MW3"
kind = "wall"
need = { walls = 1 }
slots = [[9, 2], [6, 3], [4, 2], [2, 3]]

[[mausoleum_tile]]
id = "ME1"
kind = "elixir"
need = { boat_space = 12, alchemist_cards = 2 }
slots = [[9, 2], [6, 3], [4, 2], [2, 3]]

[[palace_tile]]
kind = "ZHG-PAL-01"
arg = "writing"
copies = 3

[[palace_tile]]
kind = "ZHG-PAL-01"
arg = "currency"
copies = 3

[[palace_tile]]
kind = "ZHG-PAL-01"
arg = "laws"
copies = 3

[[palace_tile]]
kind = "ZHG-PAL-01"
arg = "alchemist_card"
copies = 3

[[palace_tile]]
kind = "ZHG-PAL-02"
copies = 3

[[start_tile]]
id = "S1"
kind = "ZHG-STA-01"
official = "alchemist"

[[start_tile]]
id = "S2"
kind = "ZHG-STA-01"
official = "architect"

[[start_tile]]
id = "S3"
kind = "ZHG-STA-01"
official = "general"

[[start_tile]]
id = "S4"
kind = "ZHG-STA-02"
region = "wei"
tokens = "writing+currency"

[[start_tile]]
id = "S5"
kind = "ZHG-STA-02"
region = "zhao"
tokens = "currency+laws"

[[start_tile]]
id = "S6"
kind = "ZHG-STA-02"
region = "qi"
tokens = "writing+laws"

[[start_tile]]
id = "S7"
kind = "ZHG-STA-03"

[[start_tile]]
id = "S8"
kind = "ZHG-STA-04"

[[start_tile]]
id = "S9"
kind = "ZHG-STA-05"

[[start_tile]]
id = "S10"
kind = "ZHG-STA-06"

[[lisi]]
level = 1
deck = [1, 2, 3, 6, 10, 15, 20, 14, 18]
top = "A"
under = "C"
order_space = 2
boat = 0
unlocked = 0

[[lisi]]
level = 2
deck = [1, 2, 4, 6, 11, 16, 21, 8, 23]
top = "D"
under = "A"
order_space = 2
boat = 1
unlocked = 0

[[lisi]]
level = 3
deck = [1, 3, 5, 7, 12, 17, 22, 14, 24]
top = "B"
under = "D"
order_space = 1
boat = 2
unlocked = 1

[[lisi]]
level = 4
deck = [2, 4, 5, 7, 13, 17, 22, 9, 19]
top = "C"
under = "B"
order_space = 1
boat = 3
unlocked = 1

[[solo_action]]
n = 1
kind = "unification"

[[solo_action]]
n = 2
kind = "unification"

[[solo_action]]
n = 3
kind = "unification"

[[solo_action]]
n = 4
kind = "unification"

[[solo_action]]
n = 5
kind = "unification"

[[solo_action]]
n = 6
kind = "elixir"
boat = 3

[[solo_action]]
n = 7
kind = "elixir"
boat = 4

[[solo_action]]
n = 8
kind = "elixir"
one_shot = true
boat = 5

[[solo_action]]
n = 9
kind = "elixir"
one_shot = true
boat = 6

[[solo_action]]
n = 10
kind = "governor"
regions = ["chu", "wei", "zhao", "qi", "yan"]
manner = "one_left"

[[solo_action]]
n = 11
kind = "governor"
regions = ["yan", "qi", "zhao", "wei", "chu"]
manner = "one_left"

[[solo_action]]
n = 12
kind = "governor"
regions = ["zhao", "chu", "yan", "wei", "qi"]
manner = "one_left"

[[solo_action]]
n = 13
kind = "governor"
regions = ["qi", "yan", "chu", "zhao", "wei"]
manner = "area"

[[solo_action]]
n = 14
kind = "governor"
one_shot = true
regions = ["zhao", "qi", "wei", "yan", "chu"]
manner = "two_right"

[[solo_action]]
n = 15
kind = "palace"
regions = ["wei", "zhao", "qi", "yan", "chu"]
tile = true
large = ["writing", "currency", "laws"]

[[solo_action]]
n = 16
kind = "palace"
regions = ["qi", "zhao", "wei", "chu", "yan"]
tile = true
large = ["currency", "laws", "writing"]

[[solo_action]]
n = 17
kind = "palace"
regions = ["chu", "yan", "wei", "qi", "zhao"]
tile = true
large = ["laws", "writing", "currency"]

[[solo_action]]
n = 18
kind = "palace"
one_shot = true
regions = ["yan", "chu", "qi", "wei", "zhao"]
tile = false
large = ["writing", "laws", "currency"]

[[solo_action]]
n = 19
kind = "palace"
one_shot = true
regions = ["zhao", "wei", "chu", "yan", "qi"]
tile = true
large = ["laws", "currency", "writing"]

[[solo_action]]
n = 20
kind = "wall"
sites = ["A", "B", "C"]
first = "L"
slot_from = "right"
emperor = true

[[solo_action]]
n = 21
kind = "wall"
sites = ["C", "B", "A"]
first = "R"
slot_from = "left"
emperor = true

[[solo_action]]
n = 22
kind = "wall"
sites = ["B", "C", "A"]
first = "L"
slot_from = "right"
emperor = true

[[solo_action]]
n = 23
kind = "wall"
one_shot = true
sites = ["B", "A", "C"]
first = "R"
slot_from = "left"
emperor = false

[[solo_action]]
n = 24
kind = "wall"
one_shot = true
sites = ["C", "A", "B"]
first = "L"
slot_from = "left"
emperor = true
"""
