"""Rules on playing alone against Qin Jiushao."""

from rules.great_wall.rulebook.make import rule

SOL_01 = rule(
    "GW-SOL-01",
    "The solo table",
    "L931-L939",
    "Left section closed, hordes and barricades as with 2 players.",
    unchecked="Qin acts by rule, and no move can do otherwise",
)
SOL_02 = rule(
    "GW-SOL-02",
    "The solo pool",
    "L933",
    "Shame pool 10.",
    unchecked="Qin acts by rule, and no move can do otherwise",
)
SOL_03 = rule(
    "GW-SOL-03",
    "Qin's clan",
    "L934",
    "One unused clan for Reed (GW-2P-02), another for Qin: 8 clerks (all in his reserve), all soldiers, "
    "tea and honour markers, 6 solo strategy cards.",
    unchecked="Qin acts by rule, and no move can do otherwise",
)
SOL_04 = rule(
    "GW-SOL-04",
    "Qin's cards",
    "L935",
    "Shuffle the solo strategy deck, face down.",
    unchecked="Qin acts by rule, and no move can do otherwise",
)
SOL_05 = rule(
    "GW-SOL-05",
    "Qin's foremen",
    "L936",
    "2 horsemen and 2 spearmen of Qin become level-1 foremen, one in each production location (horsemen "
    "in sawmill and quarry; which where has no effect).",
    unchecked="Qin acts by rule, and no move can do otherwise",
)
SOL_06 = rule(
    "GW-SOL-06",
    "Generals in solo",
    "L940-L941",
    "The human draws 2 generals and keeps 1; Qin's solo general card beside his pieces.",
    unchecked="Qin acts by rule, and no move can do otherwise",
)
SOL_07 = rule(
    "GW-SOL-07",
    "Qin's location track",
    "L942",
    "Qin's location track: one token of each resource and wound marker(s), one per space, in random "
    "order. The text says 4 wound markers; the card logic needs 1.",
)
SOL_08 = rule(
    "GW-SOL-08",
    "Advisors in solo",
    "L943-L944",
    "Human: 2 advisors as usual. Qin: 2 random advisors as assistants.",
    unchecked="Qin acts by rule, and no move can do otherwise",
)
SOL_09 = rule(
    "GW-SOL-09",
    "Clerks in solo",
    "L945",
    "Human: 3 clerks to the clerk space. Reed: clerks in sawmill, quarry, gold mine.",
    unchecked="Qin acts by rule, and no move can do otherwise",
)
SOL_10 = rule(
    "GW-SOL-10",
    "Tea order in solo",
    "L946-L947",
    "Qin's honour at 0. Tea stack: human, Qin, Reed.",
    unchecked="Qin acts by rule, and no move can do otherwise",
)
SOL_11 = rule(
    "GW-SOL-11",
    "A harder game",
    "L1044",
    "Harder: Qin starts at 50; harder still: he starts with a 100 token.",
    unchecked="Qin acts by rule, and no move can do otherwise",
)
SOL_12 = rule(
    "GW-SOL-12",
    "What Qin wants",
    "L917-L1044",
    "Spaces run from highest (leftmost) to lowest (rightmost). Wood, stone, gold, chi tokens mean "
    "sawmill, quarry, gold mine, temple; the wound marker means barracks. Qin wants the lowest.",
    unchecked="Qin acts by rule, and no move can do otherwise",
)
SOL_13 = rule(
    "GW-SOL-13",
    "Move to front",
    "L961, L998",
    "After a location with at least 1 Qin clerk activates, its token goes to the highest space; those "
    "that were above it each shift one space right (move-to-front). Any activation counts, on anybody's "
    "turn, advanced or not; a location without his clerks moves nothing.",
    unchecked="Qin acts by rule, and no move can do otherwise",
)
SOL_14 = rule(
    "GW-SOL-14",
    "What Qin never does",
    "L917-L1044",
    "No shame. No active advisors. Never saves, never rests soldiers (they go to his reserve). Never "
    "spends resources of his own; he may use the warehouse.",
    unchecked="Qin acts by rule, and no move can do otherwise",
)
SOL_15 = rule(
    "GW-SOL-15",
    "What Qin gains",
    "L917-L1044",
    "Gains honour from every normal source, apart from stated exceptions.",
    unchecked="Qin acts by rule, and no move can do otherwise",
)
SOL_16 = rule(
    "GW-SOL-16",
    "Qin builds",
    "L976-L978",
    "Wall building: section of the current invasion indicator; if complete, the other one. Warehouse "
    "resources are discarded; honour as usual.",
    unchecked="Qin acts by rule, and no move can do otherwise",
)
SOL_17 = rule(
    "GW-SOL-17",
    "Qin's artefacts",
    "L1030",
    "20 honour per artefact at game end.",
    unchecked="Qin acts by rule, and no move can do otherwise",
)
SOL_18 = rule(
    "GW-SOL-18",
    "Qin's strategy",
    "L917-L1044",
    "After the human has chosen, flip the top solo strategy card; it takes the first free track space "
    "in tea order. Same names as the normal cards but other effects.",
)
SOL_19 = rule(
    "GW-SOL-19",
    "Bonuses by Qin's card",
    "L917-L1044",
    "The human gets any track bonus that Qin's card gives (example: Qin's Economy gives the human's "
    "Despotism 2 more clerk moves).",
    unchecked="Qin acts by rule, and no move can do otherwise",
)
SOL_20 = rule(
    "GW-SOL-20",
    "Copying Qin",
    "L917-L1044",
    "Human's Betrayal may copy Qin's card but uses the player version of that name.",
    unchecked="Qin acts by rule, and no move can do otherwise",
)
SOL_21 = rule(
    "GW-SOL-21",
    "Qin's clerks",
    "L917-L1044",
    "On his own turn Qin moves clerks as his card says. Whenever clerks are moved on the human's or "
    "Reed's turn, Qin moves 2: one to each of the two lowest locations.",
    unchecked="Qin acts by rule, and no move can do otherwise",
)
SOL_22 = rule(
    "GW-SOL-22",
    "Where Qin's clerks go",
    "L917-L1044",
    "Destination full: go on to the next location in track order (upwards). All 8 on the board: take "
    "one from the highest possible location. Only production locations and barracks, ever.",
    unchecked="Qin acts by rule, and no move can do otherwise",
)
SOL_23 = rule(
    "GW-SOL-23",
    "Qin's production",
    "L917-L1044",
    "Production location: Qin gains honour = his clerks there × his foreman's level there. He collects "
    "and donates nothing.",
    unchecked="Qin acts by rule, and no move can do otherwise",
)
SOL_24 = rule(
    "GW-SOL-24",
    "Qin's barracks",
    "L996",
    "Barracks: 1 free spearman per clerk, one after another, as far as his reserve goes.",
    unchecked="Qin acts by rule, and no move can do otherwise",
)
SOL_25 = rule(
    "GW-SOL-25",
    "Qin's activations",
    "L1000-L1002",
    "On Qin's turn the eligible locations with his clerks activate first, lowest to highest. The human "
    "orders the others. If an effect lets him activate just one, he takes the lowest with his clerks.",
    unchecked="Qin acts by rule, and no move can do otherwise",
)
SOL_26 = rule(
    "GW-SOL-26",
    "Qin's attacks",
    "L917-L1044",
    "A spearman attacks the section of the current invasion indicator, else the other, else is not "
    "recruited. An archer takes a firing slot in the indicated section or is not recruited. Wounds go "
    "to the horde nearest the wall, spots top to bottom and left to right. Each wound (spearman or "
    "archer) gives 2 honour instead of the printed reward.",
    unchecked="Qin acts by rule, and no move can do otherwise",
)
SOL_27 = rule(
    "GW-SOL-27",
    "An advisor for Qin",
    "L1026",
    "Spring 3: of the 2 leftmost advisors the human puts one under Qin as assistant and discards the other.",
)
SOL_28 = rule(
    "GW-SOL-28",
    "Qin as overlord",
    "L1016-L1022",
    "Qin is overlord when he is active, or when Reed is active and he is above the human. He sends Reed "
    "clerks to the lowest possible locations; first those standing in locations that he does not use "
    "himself (outside his track), else those in higher locations down to lower ones. Reed soldiers "
    "follow his attack rules. He never profits from Reed's actions (no 2 honour for a Reed wound).",
    unchecked="Qin acts by rule, and no move can do otherwise",
)
SOL_29 = rule(
    "GW-SOL-29",
    "The solo end",
    "L1038",
    "End conditions as standard; but an empty shame pool at the check means the human loses.",
    unchecked="Qin acts by rule, and no move can do otherwise",
)
SOL_30 = rule(
    "GW-SOL-30",
    "Strictly more honour",
    "L1040",
    "The human wins only with strictly more honour than Qin.",
    unchecked="Qin acts by rule, and no move can do otherwise",
)
SOL_31 = rule(
    "GW-SOL-31",
    "Qin's income",
    "L957, L487",
    "Qin collects no resources, so foreman income gives him none; his clerks go home after activations "
    "like a player's.",
    unchecked="Qin acts by rule, and no move can do otherwise",
)
SOL_32 = rule(
    "GW-SOL-32",
    "Qin and hordes",
    "L975",
    "Qin gets 2 honour for soldiers on a defeated horde and 2 per archer of his in the section, claims "
    "hordes by majority and scores their rewards at the end.",
    unchecked="Qin acts by rule, and no move can do otherwise",
)
SOL_33 = rule(
    "GW-SOL-33",
    "Qin is a colour",
    "L971, L405",
    "Qin's clerk counts as a colour at the shame icon; alone there he gains nothing. He gains no breach "
    "shame, and his soldiers spare the human none.",
    unchecked="Qin acts by rule, and no move can do otherwise",
)
