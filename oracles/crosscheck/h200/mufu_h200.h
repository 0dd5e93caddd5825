/* MUFU of an NVIDIA H200, bit for bit, in C99 and C++: mufu_h200.rs, rewritten.
 *
 * This file needs no other one: copy it. Arguments and results are the bits of a number. Subnormal
 * operands count as zeros, except for TANH, and subnormal results are zeros. Every NaN is 0x7fffffff,
 * or 0x7fff in 16 bits. A function of a 16-bit type uses the low half of its argument.
 *
 * The design and the tables were derived from measurements of one H200 (compute capability 9.0,
 * driver 580), and agree with them for every input: check.c shows that for this file, by the digests
 * in digests.txt. Other GPUs can differ. mufu_h200.rs names the sources of the design.
 *
 * From assay, a conformance harness for GPU instruction sets. Licence: MIT or Apache-2.0.
 */
#ifndef MUFU_H200_H
#define MUFU_H200_H

#include <stdint.h>

#define MUFU_H200_SIGN 0x80000000u
#define MUFU_H200_INFINITY 0x7f800000u
#define MUFU_H200_NAN 0x7fffffffu
#define MUFU_H200_ONE 0x3f800000u
/* The leading bit of a significand of F32, which is not stored. */
#define MUFU_H200_HIDDEN 0x00800000u
#define MUFU_H200_FRACTION 0x007fffffu
#define MUFU_H200_HIGH_INFINITY 0x7ff00000u

/* The coefficients A, B and C of each segment. The value in a segment is approximately
 * A + B*x + C*s, where s is the truncated square of x. mufu_h200.rs gives the units. */
/* Tables of mufu_h200.rs. */
static const int32_t mufu_h200_rcp_rows[128][3] = {
    {67108862, -65534, 1013}, {66588640, -64522, 989}, {66076420, -63533, 966}, {65572019, -62567, 945},
    {65075260, -61622, 923}, {64585974, -60699, 902}, {64103990, -59797, 883}, {63629144, -58914, 863},
    {63161282, -58051, 845}, {62700252, -57207, 827}, {62245903, -56381, 809}, {61798089, -55572, 791},
    {61356675, -54781, 774}, {60921522, -54007, 758}, {60492497, -53249, 742}, {60069472, -52507, 727},
    {59652323, -51780, 711}, {59240928, -51068, 696}, {58835168, -50371, 682}, {58434928, -49688, 669},
    {58040097, -49019, 656}, {57650567, -48363, 642}, {57266229, -47721, 631}, {56886984, -47091, 618},
    {56512727, -46473, 605}, {56143364, -45868, 594}, {55778796, -45274, 582}, {55418932, -44692, 572},
    {55063684, -44121, 561}, {54712959, -43560, 549}, {54366675, -43011, 540}, {54024745, -42471, 529},
    {53687091, -41942, 519}, {53353631, -41423, 510}, {53024286, -40913, 501}, {52698985, -40412, 490},
    {52377649, -39921, 482}, {52060210, -39439, 474}, {51746594, -38965, 465}, {51436735, -38500, 457},
    {51130563, -38043, 449}, {50828015, -37594, 441}, {50529027, -37153, 433}, {50233536, -36720, 426},
    {49941480, -36294, 418}, {49652801, -35876, 412}, {49367440, -35464, 403}, {49085340, -35060, 397},
    {48806447, -34663, 390}, {48530703, -34272, 383}, {48258058, -33888, 377}, {47988462, -33511, 371},
    {47721859, -33140, 366}, {47458202, -32774, 358}, {47197442, -32415, 353}, {46939532, -32062, 348},
    {46684427, -31714, 341}, {46432080, -31373, 337}, {46182444, -31036, 331}, {45935478, -30705, 326},
    {45691141, -30379, 320}, {45449390, -30059, 316}, {45210183, -29743, 310}, {44973479, -29432, 305},
    {44739242, -29127, 302}, {44507434, -28826, 297}, {44278014, -28529, 291}, {44050946, -28237, 287},
    {43826197, -27950, 283}, {43603728, -27667, 279}, {43383508, -27388, 274}, {43165501, -27114, 271},
    {42949673, -26843, 266}, {42735993, -26577, 263}, {42524428, -26314, 258}, {42314948, -26056, 256},
    {42107523, -25801, 251}, {41902120, -25550, 248}, {41698712, -25302, 243}, {41497268, -25058, 240},
    {41297762, -24818, 237}, {41100166, -24581, 233}, {40904451, -24348, 231}, {40710591, -24117, 226},
    {40518559, -23890, 223}, {40328331, -23667, 222}, {40139881, -23446, 218}, {39953184, -23228, 214},
    {39768216, -23014, 212}, {39584953, -22802, 208}, {39403369, -22593, 205}, {39223446, -22388, 204},
    {39045157, -22184, 199}, {38868482, -21984, 197}, {38693399, -21787, 196}, {38519886, -21592, 193},
    {38347922, -21399, 189}, {38177487, -21209, 186}, {38008561, -21022, 184}, {37841121, -20837, 182},
    {37675152, -20655, 180}, {37510631, -20475, 178}, {37347541, -20297, 175}, {37185864, -20122, 173},
    {37025580, -19949, 171}, {36866671, -19778, 169}, {36709122, -19609, 166}, {36552913, -19443, 165},
    {36398028, -19278, 161}, {36244450, -19116, 160}, {36092162, -18956, 159}, {35941149, -18797, 155},
    {35791394, -18641, 154}, {35642882, -18487, 153}, {35495597, -18334, 150}, {35349526, -18184, 149},
    {35204650, -18035, 147}, {35060957, -17888, 145}, {34918434, -17743, 143}, {34777062, -17600, 143},
    {34636833, -17458, 140}, {34497730, -17318, 138}, {34359739, -17180, 137}, {34222847, -17043, 135},
    {34087042, -16908, 133}, {33952311, -16775, 132}, {33818639, -16643, 131}, {33686017, -16513, 130},
};
static const int32_t mufu_h200_rsq_even_rows[64][3] = {
    {67108861, -65531, 754}, {66590637, -64024, 725}, {66084239, -62575, 698}, {65589219, -61179, 672},
    {65105160, -59835, 648}, {64631661, -58539, 625}, {64168345, -57289, 603}, {63714853, -56083, 582},
    {63270843, -54919, 562}, {62835986, -53794, 543}, {62409972, -52708, 526}, {61992511, -51657, 508},
    {61583314, -50641, 492}, {61182118, -49658, 476}, {60788659, -48706, 461}, {60402696, -47784, 446},
    {60023990, -46891, 433}, {59652323, -46026, 420}, {59287472, -45186, 407}, {58929237, -44372, 395},
    {58577418, -43582, 383}, {58231825, -42815, 372}, {57892277, -42071, 362}, {57558601, -41348, 352},
    {57230629, -40645, 342}, {56908203, -39962, 332}, {56591163, -39298, 323}, {56279364, -38652, 314},
    {55972662, -38023, 305}, {55670920, -37412, 298}, {55374004, -36816, 290}, {55081792, -36237, 283},
    {54794158, -35672, 275}, {54510983, -35122, 268}, {54232150, -34586, 262}, {53957556, -34063, 255},
    {53687091, -33553, 248}, {53420652, -33056, 242}, {53158142, -32571, 236}, {52899461, -32098, 231},
    {52644524, -31636, 225}, {52393234, -31185, 220}, {52145511, -30745, 215}, {51901269, -30315, 210},
    {51660427, -29895, 205}, {51422906, -29485, 201}, {51188634, -29084, 196}, {50957532, -28691, 191},
    {50729534, -28308, 187}, {50504567, -27933, 183}, {50282567, -27566, 179}, {50063470, -27208, 176},
    {49847213, -26857, 172}, {49633733, -26513, 168}, {49422973, -26177, 165}, {49214874, -25848, 162},
    {49009384, -25525, 158}, {48806447, -25209, 154}, {48606010, -24900, 151}, {48408021, -24597, 148},
    {48212432, -24300, 145}, {48019192, -24009, 143}, {47828262, -23724, 140}, {47639589, -23444, 137},
};
static const int32_t mufu_h200_rsq_odd_rows[64][3] = {
    {47453129, -46337, 533}, {47086690, -45272, 513}, {46728614, -44247, 493}, {46378581, -43260, 475},
    {46036298, -42310, 459}, {45701484, -41393, 442}, {45373873, -40510, 427}, {45053204, -39657, 412},
    {44739242, -38834, 398}, {44431751, -38038, 384}, {44130517, -37270, 371}, {43835325, -36527, 359},
    {43545981, -35809, 348}, {43262290, -35113, 336}, {42984071, -34440, 326}, {42711157, -33789, 316},
    {42443371, -33157, 306}, {42180561, -32545, 297}, {41922576, -31952, 288}, {41669265, -31376, 279},
    {41420489, -30817, 271}, {41176119, -30275, 263}, {40936023, -29749, 256}, {40700079, -29237, 248},
    {40468167, -28740, 241}, {40240174, -28257, 235}, {40015993, -27788, 229}, {39795520, -27331, 222},
    {39578647, -26887, 217}, {39365286, -26454, 210}, {39155335, -26033, 205}, {38948711, -25623, 199},
    {38745319, -25224, 195}, {38545084, -24835, 190}, {38347923, -24456, 185}, {38153754, -24086, 180},
    {37962506, -23726, 176}, {37774105, -23374, 171}, {37588482, -23031, 167}, {37405570, -22697, 163},
    {37225300, -22370, 159}, {37047613, -22051, 155}, {36872445, -21740, 152}, {36699741, -21436, 148},
    {36529438, -21139, 145}, {36361486, -20849, 142}, {36195831, -20565, 138}, {36032415, -20288, 136},
    {35871195, -20017, 133}, {35712121, -19752, 130}, {35555146, -19492, 126}, {35400221, -19239, 124},
    {35247302, -18991, 122}, {35096351, -18748, 119}, {34947318, -18510, 117}, {34800172, -18277, 114},
    {34654867, -18049, 112}, {34511368, -17826, 110}, {34369639, -17607, 107}, {34229640, -17393, 105},
    {34091338, -17183, 103}, {33954697, -16977, 101}, {33819687, -16775, 99}, {33686279, -16578, 97},
};
static const int32_t mufu_h200_sqrt_even_rows[64][3] = {
    {33554432, 65535, -506}, {33815560, 65029, -494}, {34074687, 64534, -482}, {34331858, 64051, -472},
    {34587117, 63578, -461}, {34840506, 63116, -452}, {35092065, 62664, -443}, {35341834, 62221, -434},
    {35589850, 61787, -424}, {35836149, 61363, -417}, {36080767, 60947, -408}, {36323738, 60539, -399},
    {36565095, 60139, -391}, {36804868, 59748, -385}, {37043090, 59363, -376}, {37279789, 58987, -370},
    {37514995, 58617, -363}, {37748736, 58254, -357}, {37981038, 57898, -351}, {38211928, 57548, -344},
    {38441431, 57204, -337}, {38669572, 56867, -332}, {38896375, 56535, -325}, {39121863, 56209, -319},
    {39346059, 55889, -315}, {39568985, 55574, -309}, {39790662, 55264, -304}, {40011110, 54960, -299},
    {40230351, 54660, -294}, {40448403, 54366, -290}, {40665286, 54076, -285}, {40881019, 53790, -280},
    {41095618, 53510, -277}, {41309104, 53233, -272}, {41521491, 52961, -268}, {41732798, 52693, -265},
    {41943040, 52429, -261}, {42152234, 52168, -255}, {42360394, 51912, -252}, {42567536, 51660, -249},
    {42773676, 51410, -244}, {42978827, 51165, -242}, {43183003, 50923, -238}, {43386218, 50685, -236},
    {43588486, 50449, -231}, {43789819, 50218, -229}, {43990231, 49989, -226}, {44189735, 49763, -222},
    {44388341, 49541, -221}, {44586063, 49321, -217}, {44782912, 49104, -214}, {44978899, 48890, -211},
    {45174037, 48678, -207}, {45368334, 48471, -207}, {45561804, 48264, -202}, {45754455, 48061, -200},
    {45946298, 47861, -199}, {46137344, 47662, -194}, {46327602, 47467, -194}, {46517082, 47273, -190},
    {46705793, 47082, -188}, {46893744, 46894, -187}, {47080946, 46707, -184}, {47267406, 46523, -182},
};
static const int32_t mufu_h200_sqrt_odd_rows[64][3] = {
    {47453133, 46340, -714}, {47822424, 45982, -697}, {48188884, 45633, -684}, {48552579, 45291, -668},
    {48913570, 44957, -655}, {49271916, 44630, -641}, {49627674, 44310, -626}, {49980900, 43997, -613},
    {50331648, 43690, -599}, {50679968, 43390, -588}, {51025910, 43096, -577}, {51369523, 42808, -567},
    {51710853, 42525, -554}, {52049944, 42248, -544}, {52386840, 41976, -531}, {52721584, 41710, -524},
    {53054216, 41448, -512}, {53384774, 41192, -505}, {53713299, 40940, -496}, {54039827, 40692, -484},
    {54364394, 40449, -476}, {54687033, 40211, -470}, {55007782, 39976, -459}, {55326670, 39746, -453},
    {55643731, 39519, -443}, {55958995, 39297, -439}, {56272493, 39078, -431}, {56584254, 38863, -425},
    {56894307, 38651, -417}, {57202680, 38442, -408}, {57509399, 38237, -401}, {57814491, 38036, -399},
    {58117981, 37837, -391}, {58419895, 37641, -383}, {58720256, 37449, -379}, {59019089, 37259, -372},
    {59316416, 37073, -370}, {59612260, 36889, -364}, {59906644, 36707, -356}, {60199587, 36529, -353},
    {60491112, 36353, -348}, {60781240, 36179, -341}, {61069988, 36008, -336}, {61357378, 35839, -330},
    {61643428, 35673, -327}, {61928157, 35509, -323}, {62211582, 35347, -317}, {62493722, 35188, -316},
    {62774594, 35030, -309}, {63054215, 34875, -306}, {63332601, 34722, -303}, {63609770, 34570, -297},
    {63885735, 34421, -294}, {64160514, 34274, -293}, {64434121, 34128, -287}, {64706571, 33984, -282},
    {64977878, 33843, -282}, {65248058, 33702, -275}, {65517123, 33564, -273}, {65785088, 33427, -269},
    {66051966, 33292, -266}, {66317769, 33159, -264}, {66582512, 33027, -261}, {66846206, 32897, -259},
};
static const int32_t mufu_h200_ex2_rows[64][3] = {
    {33554432, 22713, 494}, {33919815, 22960, 501}, {34289179, 23210, 506}, {34662562, 23463, 511},
    {35040015, 23718, 518}, {35421574, 23977, 521}, {35807289, 24238, 527}, {36197206, 24502, 532},
    {36591369, 24768, 541}, {36989822, 25038, 546}, {37392613, 25311, 551}, {37799794, 25586, 559},
    {38211406, 25865, 564}, {38627501, 26147, 568}, {39048128, 26431, 577}, {39473334, 26719, 583},
    {39903170, 27010, 589}, {40337687, 27304, 596}, {40776934, 27602, 600}, {41220967, 27902, 609},
    {41669833, 28206, 615}, {42123589, 28513, 622}, {42582283, 28824, 627}, {43045974, 29138, 633},
    {43514714, 29455, 641}, {43988558, 29776, 647}, {44467562, 30100, 655}, {44951783, 30428, 661},
    {45441275, 30759, 670}, {45936098, 31094, 677}, {46436311, 31432, 686}, {46941968, 31775, 691},
    {47453132, 32121, 699}, {47969864, 32471, 705}, {48492222, 32824, 715}, {49020266, 33182, 721},
    {49554062, 33543, 730}, {50093671, 33908, 739}, {50639156, 34277, 748}, {51190579, 34651, 753},
    {51748008, 35028, 763}, {52311507, 35409, 773}, {52881143, 35795, 779}, {53456980, 36185, 787},
    {54039088, 36579, 796}, {54627535, 36977, 806}, {55222390, 37380, 813}, {55823722, 37787, 822},
    {56431604, 38198, 833}, {57046103, 38614, 842}, {57667294, 39035, 849}, {58295251, 39460, 858},
    {58930045, 39889, 870}, {59571751, 40324, 877}, {60220444, 40763, 887}, {60876202, 41207, 896},
    {61539101, 41655, 909}, {62209217, 42109, 917}, {62886631, 42568, 925}, {63571421, 43031, 938},
    {64263669, 43500, 946}, {64963455, 43973, 959}, {65670860, 44452, 969}, {66385969, 44936, 980},
};
static const int32_t mufu_h200_lg2_rows[64][3] = {
    {4, 47272, -727}, {1501079, 46545, -705}, {2979245, 45840, -685}, {4435175, 45156, -665},
    {5869538, 44492, -646}, {7282959, 43847, -627}, {8676041, 43221, -610}, {10049360, 42612, -592},
    {11403480, 42020, -576}, {12738914, 41444, -559}, {14056181, 40884, -544}, {15355766, 40339, -530},
    {16638137, 39809, -518}, {17903740, 39292, -504}, {19153020, 38788, -491}, {20386385, 38297, -479},
    {21604230, 37818, -466}, {22806952, 37351, -455}, {23994914, 36896, -445}, {25168473, 36451, -433},
    {26327980, 36018, -425}, {27473760, 35594, -414}, {28606142, 35180, -404}, {29725435, 34776, -396},
    {30831935, 34380, -385}, {31925930, 33994, -377}, {33007703, 33616, -368}, {34077522, 33247, -361},
    {35135647, 32886, -354}, {36182338, 32532, -346}, {37217831, 32186, -339}, {38242363, 31847, -331},
    {39256170, 31516, -326}, {40259469, 31191, -319}, {41252482, 30872, -311}, {42235412, 30561, -307},
    {43208461, 30255, -300}, {44171827, 29955, -293}, {45125706, 29662, -289}, {46070272, 29374, -283},
    {47005713, 29091, -276}, {47932206, 28814, -271}, {48849917, 28542, -266}, {49759005, 28276, -262},
    {50659642, 28014, -257}, {51551982, 27757, -253}, {52436166, 27505, -249}, {53312349, 27257, -244},
    {54180673, 27013, -238}, {55041280, 26774, -234}, {55894305, 26540, -232}, {56739875, 26309, -227},
    {57578131, 26082, -223}, {58409188, 25859, -219}, {59233176, 25640, -216}, {60050206, 25424, -211},
    {60860396, 25213, -209}, {61663866, 25004, -204}, {62460727, 24799, -201}, {63251077, 24598, -199},
    {64035034, 24399, -195}, {64812688, 24204, -192}, {65584146, 24012, -189}, {66349505, 23823, -186},
};
static const int32_t mufu_h200_sine_rows[64][3] = {
    {0, 25737, -14}, {1646926, 25730, -48}, {3292872, 25706, -76}, {4936828, 25668, -110},
    {6577812, 25613, -137}, {8214836, 25544, -171}, {9846906, 25459, -201}, {11473052, 25358, -229},
    {13092282, 25243, -262}, {14703632, 25112, -292}, {16306120, 24966, -322}, {17898788, 24805, -352},
    {19480670, 24629, -381}, {21050826, 24438, -410}, {22608290, 24233, -441}, {24152140, 24013, -470},
    {25681450, 23778, -497}, {27195286, 23529, -525}, {28692734, 23266, -553}, {30172904, 22989, -581},
    {31634900, 22698, -608}, {33077832, 22394, -637}, {34500844, 22076, -664}, {35903084, 21744, -688},
    {37283680, 21400, -715}, {38641832, 21042, -738}, {39976700, 20672, -763}, {41287492, 20290, -790},
    {42573406, 19895, -812}, {43833682, 19489, -839}, {45067552, 19070, -859}, {46274276, 18640, -881},
    {47453130, 18199, -904}, {48603396, 17747, -926}, {49724388, 17284, -946}, {50815422, 16811, -967},
    {51875848, 16328, -988}, {52905036, 15834, -1004}, {53902340, 15332, -1025}, {54867186, 14820, -1043},
    {55798976, 14299, -1059}, {56697166, 13769, -1074}, {57561188, 13232, -1093}, {58390546, 12686, -1107},
    {59184728, 12133, -1123}, {59943264, 11572, -1136}, {60665692, 11004, -1148}, {61351576, 10430, -1162},
    {62000506, 9849, -1172}, {62612084, 9263, -1185}, {63185948, 8671, -1196}, {63721758, 8073, -1203},
    {64219180, 7471, -1213}, {64677922, 6864, -1220}, {65097690, 6254, -1230}, {65478264, 5639, -1236},
    {65819388, 5021, -1242}, {66120864, 4400, -1247}, {66382514, 3776, -1250}, {66604174, 3151, -1258},
    {66785714, 2523, -1260}, {66927034, 1893, -1260}, {67028028, 1263, -1263}, {67088652, 632, -1265},
};
static const int32_t mufu_h200_tanh_rows[51][3] = {
    // From 2^-8.
    {65536, 32768, -4},
    // From 2^-7.
    {131070, 65532, -24},
    // From 2^-6.
    {262124, 131048, -208},
    // From 2^-5.
    {524118, 130952, -328}, {785858, 130788, -440},
    // From 2^-4.
    {1047212, 261168, -2544}, {1568268, 259904, -3552},
    // From 2^-3.
    {2086298, 258128, -4472}, {2600310, 255888, -5408}, {3109372, 253184, -6320}, {3612576, 250024, -7128},
    // From 2^-2.
    {4109040, 493088, -33104}, {5078604, 476480, -38592}, {6012224, 457144, -42976},
    {6904992, 435608, -46304},
    // From 2^-1.
    {7753000, 825136, -197184}, {9304656, 725984, -201216}, {10656104, 625008, -193216},
    {11809672, 528176, -177376},
    // From 2^0.
    {12777544, 439376, -157168}, {13577912, 360816, -135648}, {14231944, 293072, -114304},
    {14761140, 236008, -94768}, {15185952, 188720, -77472}, {15524804, 150080, -62752},
    {15793720, 118800, -50304}, {16006268, 93728, -40144},
    // From 2^1.
    {16173728, 73748, -31892}, {16305345, 57884, -25180}, {16408581, 45348, -19796},
    {16489421, 35492, -15568}, {16552657, 27740, -12188}, {16602069, 21670, -9552}, {16640655, 16914, -7468},
    {16670765, 13198, -5840}, {16694254, 10292, -4556}, {16712570, 8024, -3556}, {16726848, 6254, -2772},
    {16737977, 4874, -2164}, {16746648, 3798, -1684}, {16753405, 2958, -1308}, {16758669, 2304, -1016},
    {16762770, 1794, -788},
    // From 2^2.
    {16766000, 5272, -7008}, {16773088, 1944, -2592}, {16775696, 712, -928}, {16776656, 264, -352},
    {16777012, 96, -128}, {16777140, 40, -64}, {16777188, 16, -32}, {16777204, 8, -16},
};
/* End of the tables. */

/* For each binade of TANH from 2^-8 on: the number of low bits of a fraction that are dropped, and
 * the first row of the binade. */
static const uint32_t mufu_h200_tanh_binades[11][2] = {
    {6, 0}, {6, 1}, {6, 2}, {5, 3}, {5, 5}, {4, 7}, {4, 11}, {4, 15}, {3, 19}, {2, 27}, {3, 43},
};

/* Returns floor(value / 2^bits). A shift to the right of a negative value is up to the compiler. */
static inline int64_t mufu_h200_floor(int64_t value, int bits)
{
    return value < 0 ? ~(~value >> bits) : value >> bits;
}

/* Returns approximately x^2 / 2^19 for an x of 17 bits. Each partial product is cut off before it is
 * added. */
static inline uint32_t mufu_h200_square(uint32_t x)
{
    uint32_t sum = 0;
    for (int bit = 0; bit < 17; bit++)
        sum += (x >> (18 - bit)) & (0u - (x >> bit & 1));
    return sum >> 1;
}

/* Interpolates in a table. The low offset_bits of the argument are the offset in its segment, and the
 * bits above are the segment's number. A, B*x and C*s are shifted to the left by a, b and c bits. The
 * rounding constant is added to the sum, and `cut` low bits are cut off. */
static inline int64_t mufu_h200_interpolate(const int32_t rows[][3], uint32_t argument, int offset_bits,
                                            int a, int b, int c, int64_t rounding, int cut)
{
    const int32_t *row = rows[argument >> offset_bits];
    uint32_t x = argument & ((1u << offset_bits) - 1);
    int64_t sum = row[0] * ((int64_t)1 << a) + (int64_t)row[1] * x * (1 << b) +
                  (int64_t)row[2] * mufu_h200_square(x << (17 - offset_bits)) * (1 << c) + rounding;
    return mufu_h200_floor(sum, cut);
}

static inline int mufu_h200_is_nan(uint32_t x)
{
    return x << 1 > MUFU_H200_INFINITY << 1;
}

static inline int32_t mufu_h200_exponent(uint32_t x)
{
    return (int32_t)(x >> 23 & 0xff) - 127;
}

/* Returns the bits of significand * 2^(exponent - 23). The significand is from 2^23 to 2^24. Below the
 * least normal number the result is 0, and above the largest number it is infinity. */
static inline uint32_t mufu_h200_number(int32_t exponent, uint32_t significand)
{
    /* A significand of 2^24 carries into the exponent. */
    int64_t bits = (int64_t)(exponent + 127) * MUFU_H200_HIDDEN + (significand - MUFU_H200_HIDDEN);
    if (bits < MUFU_H200_HIDDEN)
        return 0;
    return bits < MUFU_H200_INFINITY ? (uint32_t)bits : MUFU_H200_INFINITY;
}

/* Returns magnitude * 2^-bits, cut off to 24 significant bits. */
static inline uint32_t mufu_h200_normalised(uint64_t magnitude, int bits)
{
    int leading = 63;
    if (magnitude == 0)
        return 0;
    while (!(magnitude >> leading))
        leading--;
    return mufu_h200_number(leading - bits, (uint32_t)(leading < 23 ? magnitude << (23 - leading) : magnitude >> (leading - 23)));
}

/* Returns |x| in units of 2^-bits, cut off to an integer. Bits above the 64th are lost. A subnormal
 * number counts as zero. */
static inline uint64_t mufu_h200_fixed_point(uint32_t x, int bits)
{
    uint64_t significand = MUFU_H200_HIDDEN | (x & MUFU_H200_FRACTION);
    int shift = mufu_h200_exponent(x) - 23 + bits;
    if ((x >> 23 & 0xff) == 0 || shift >= 64 || shift <= -64)
        return 0;
    return shift < 0 ? significand >> -shift : significand << shift;
}

/* Returns 2/(1 + fraction * 2^-23) in units of 2^-23. */
static inline uint32_t mufu_h200_rcp_significand(uint32_t fraction)
{
    return (uint32_t)mufu_h200_interpolate(mufu_h200_rcp_rows, fraction, 16, 13, 0, 0, 0x47e7, 15);
}

/* Returns 2/sqrt(1 + fraction * 2^-23) in units of 2^-23, or 2/sqrt(2 * (1 + fraction * 2^-23)) if the
 * exponent is odd. For an even exponent and a fraction of 0 the result is exactly 2. */
static inline uint32_t mufu_h200_rsq_significand(int odd, uint32_t fraction)
{
    if (!odd && fraction == 0)
        return 2 * MUFU_H200_HIDDEN;
    return (uint32_t)mufu_h200_interpolate(odd ? mufu_h200_rsq_odd_rows : mufu_h200_rsq_even_rows, fraction, 17,
                                           14, 0, 2, 0x7fff, 16);
}

/* Returns 1/x. */
static inline uint32_t mufu_h200_rcp(uint32_t x)
{
    uint32_t sign = x & MUFU_H200_SIGN;
    if (mufu_h200_is_nan(x))
        return MUFU_H200_NAN;
    switch (x >> 23 & 0xff) {
    case 0: return sign | MUFU_H200_INFINITY;
    case 255: return sign;
    default: return sign | mufu_h200_number(-mufu_h200_exponent(x) - 1, mufu_h200_rcp_significand(x & MUFU_H200_FRACTION));
    }
}

/* Returns 1/sqrt(x). */
static inline uint32_t mufu_h200_rsq(uint32_t x)
{
    int32_t exponent = mufu_h200_exponent(x);
    if (exponent == -127)
        return (x & MUFU_H200_SIGN) | MUFU_H200_INFINITY;
    if (x > MUFU_H200_INFINITY)
        return MUFU_H200_NAN;
    if (x == MUFU_H200_INFINITY)
        return 0;
    return mufu_h200_number(-(int32_t)mufu_h200_floor(exponent, 1) - 1,
                            mufu_h200_rsq_significand(exponent & 1, x & MUFU_H200_FRACTION));
}

/* Returns sqrt(x). The root has tables of its own. It is not computed as x times 1/sqrt(x). */
static inline uint32_t mufu_h200_sqrt(uint32_t x)
{
    int32_t exponent = mufu_h200_exponent(x);
    uint32_t fraction = x & MUFU_H200_FRACTION;
    int64_t significand;
    if (exponent == -127)
        return x & MUFU_H200_SIGN;
    if (x > MUFU_H200_INFINITY)
        return MUFU_H200_NAN;
    if (x == MUFU_H200_INFINITY)
        return MUFU_H200_INFINITY;
    if (exponent & 1)
        significand = mufu_h200_interpolate(mufu_h200_sqrt_odd_rows, fraction, 17, 15, 1, 1, 0x7fff, 17);
    else
        significand = mufu_h200_interpolate(mufu_h200_sqrt_even_rows, fraction, 17, 15, 0, 1, 0x7fff, 17);
    return mufu_h200_number((int32_t)mufu_h200_floor(exponent, 1), (uint32_t)significand);
}

/* Returns 2^x. The argument is cut off after 23 bits below the point. The bits of a negative argument
 * with a nonzero fraction are complemented, not negated. */
static inline uint32_t mufu_h200_ex2(uint32_t x)
{
    int negative = (x & MUFU_H200_SIGN) != 0;
    int32_t argument;
    uint32_t significand;
    if (mufu_h200_is_nan(x))
        return MUFU_H200_NAN;
    if (mufu_h200_exponent(x) >= 8)
        return negative ? 0 : MUFU_H200_INFINITY;
    argument = (int32_t)mufu_h200_fixed_point(x, 23);
    if (negative)
        argument = (uint32_t)argument & MUFU_H200_FRACTION ? ~argument : -argument;
    significand = (uint32_t)mufu_h200_interpolate(mufu_h200_ex2_rows, (uint32_t)argument & MUFU_H200_FRACTION, 17,
                                                  13, 0, 0, 0x77e2, 15);
    return mufu_h200_number((int32_t)mufu_h200_floor(argument, 23), significand);
}

/* Returns log2(x), cut off to 24 significant bits. Before the cut, the sum of exponent and logarithm
 * has 36 fraction bits. */
static inline uint32_t mufu_h200_lg2(uint32_t x)
{
    int64_t sum;
    if (mufu_h200_exponent(x) == -127)
        return MUFU_H200_SIGN | MUFU_H200_INFINITY;
    if (x > MUFU_H200_INFINITY)
        return MUFU_H200_NAN;
    if (x == MUFU_H200_INFINITY)
        return MUFU_H200_INFINITY;
    if (x == MUFU_H200_ONE)
        return 0;
    sum = mufu_h200_interpolate(mufu_h200_lg2_rows, x & MUFU_H200_FRACTION, 17, 12, 0, 1, 0x3345, 2) +
          mufu_h200_exponent(x) * ((int64_t)1 << 36);
    if (sum < 0)
        return MUFU_H200_SIGN | mufu_h200_normalised((uint64_t)~sum, 36);
    return mufu_h200_normalised((uint64_t)sum, 36);
}

/* Returns the sine of |x| turns plus some quarter turns, cut off to 24 significant bits. |x| is cut off
 * after 25 bits below the point. In a quarter where the absolute value falls, the bits of the fraction
 * are complemented, not negated. */
static inline uint32_t mufu_h200_sine_from(uint32_t x, uint32_t quarters)
{
    uint32_t argument = (uint32_t)mufu_h200_fixed_point(x, 25);
    uint32_t quarter = (argument >> 23) + quarters;
    uint32_t fraction = (quarter & 1 ? ~argument : argument) & MUFU_H200_FRACTION;
    int64_t sine = mufu_h200_interpolate(mufu_h200_sine_rows, fraction, 17, 11, 0, 0, 0, 0);
    return (quarter & 2) << 30 | mufu_h200_normalised((uint64_t)sine, 37);
}

/* Returns the sine of x turns. A zero has the sign of the exact sine just beyond |x|. */
static inline uint32_t mufu_h200_sin(uint32_t x)
{
    if ((x & MUFU_H200_INFINITY) == MUFU_H200_INFINITY)
        return MUFU_H200_NAN;
    return (x & MUFU_H200_SIGN) ^ mufu_h200_sine_from(x, 0);
}

/* Returns the cosine of x turns. A zero has the sign of the exact cosine just beyond |x|. */
static inline uint32_t mufu_h200_cos(uint32_t x)
{
    return (x & MUFU_H200_INFINITY) == MUFU_H200_INFINITY ? MUFU_H200_NAN : mufu_h200_sine_from(x, 1);
}

/* Returns tanh(x), cut off to 24 significant bits. Below 2^-8 in magnitude it is x. From 8 on it is
 * +1 or -1. */
static inline uint32_t mufu_h200_tanh(uint32_t x)
{
    uint32_t sign = x & MUFU_H200_SIGN, argument;
    int32_t exponent = mufu_h200_exponent(x);
    const uint32_t *binade;
    if (mufu_h200_is_nan(x))
        return MUFU_H200_NAN;
    if (exponent < -8)
        return x;
    if (exponent >= 3)
        return sign | MUFU_H200_ONE;
    binade = mufu_h200_tanh_binades[exponent + 8];
    argument = (binade[1] << 17) + ((x & MUFU_H200_FRACTION) >> binade[0]);
    return sign | mufu_h200_normalised((uint64_t)mufu_h200_interpolate(mufu_h200_tanh_rows, argument, 17, 16, 0, 0, 0, 0), 40);
}

/* Returns the high word of significand * 2^(exponent - 23), cut off. Below the least normal number the
 * result is 0. */
static inline uint32_t mufu_h200_high_number(int32_t exponent, uint32_t significand)
{
    int32_t bits = (exponent + 1023) * (1 << 20) + (int32_t)((significand - MUFU_H200_HIDDEN) >> 3);
    return bits < 1 << 20 ? 0 : (uint32_t)bits;
}

/* Returns the high word of 1/x, for the high word of an F64. The last three of the result's 23 bits are
 * cut off. */
static inline uint32_t mufu_h200_rcp64h(uint32_t high)
{
    uint32_t sign = high & MUFU_H200_SIGN, field = high >> 20 & 0x7ff;
    if (high << 1 > MUFU_H200_HIGH_INFINITY << 1)
        return MUFU_H200_NAN;
    if (field == 0)
        return sign | MUFU_H200_HIGH_INFINITY;
    if (field == 0x7ff)
        return sign;
    return sign | mufu_h200_high_number(1022 - (int32_t)field, mufu_h200_rcp_significand(high << 3 & MUFU_H200_FRACTION));
}

/* Returns the high word of 1/sqrt(x), for the high word of an F64, cut off like that of 1/x. */
static inline uint32_t mufu_h200_rsq64h(uint32_t high)
{
    int32_t exponent = (int32_t)(high >> 20 & 0x7ff) - 1023;
    if (exponent == -1023)
        return (high & MUFU_H200_SIGN) | MUFU_H200_HIGH_INFINITY;
    if (high > MUFU_H200_HIGH_INFINITY)
        return MUFU_H200_NAN;
    if (high == MUFU_H200_HIGH_INFINITY)
        return 0;
    return mufu_h200_high_number(-(int32_t)mufu_h200_floor(exponent, 1) - 1,
                                 mufu_h200_rsq_significand(exponent & 1, high << 3 & MUFU_H200_FRACTION));
}

/* Returns the value of an F16 as an F32. Subnormal numbers of F16 are normal in F32. */
static inline uint32_t mufu_h200_from_f16(uint32_t x)
{
    uint32_t sign = (x & 0x8000) << 16, magnitude = x & 0x7fff;
    if (magnitude >> 10 == 0)
        return sign | mufu_h200_normalised(magnitude, 24);
    if (magnitude >> 10 == 0x1f)
        return sign | MUFU_H200_INFINITY | magnitude << 13;
    return sign | ((magnitude << 13) + ((127u - 15) << 23));
}

/* Returns an F32, cut off to an F16. Numbers from 2^16 on become infinity. */
static inline uint32_t mufu_h200_to_f16(uint32_t x)
{
    uint32_t sign = x >> 16 & 0x8000, significand = (x & MUFU_H200_FRACTION) | MUFU_H200_HIDDEN;
    int32_t exponent = mufu_h200_exponent(x);
    if (mufu_h200_is_nan(x))
        return MUFU_H200_NAN >> 16;
    if (exponent >= 16)
        return sign | 0x7c00;
    if (exponent >= -14)
        return sign | (((uint32_t)(exponent + 14) << 10) + (significand >> 13));
    /* The result is in units of 2^-24. */
    return sign | (exponent > -33 ? significand >> (-1 - exponent) : 0);
}

/* Returns an F32, cut off to a BF16. */
static inline uint32_t mufu_h200_to_bf16(uint32_t x)
{
    return (mufu_h200_is_nan(x) ? MUFU_H200_NAN : x) >> 16;
}

/* Return 2^x and tanh(x) in F16 and BF16, for the low half of the argument. */
static inline uint32_t mufu_h200_ex2_f16(uint32_t x) { return mufu_h200_to_f16(mufu_h200_ex2(mufu_h200_from_f16(x))); }
static inline uint32_t mufu_h200_tanh_f16(uint32_t x) { return mufu_h200_to_f16(mufu_h200_tanh(mufu_h200_from_f16(x))); }
static inline uint32_t mufu_h200_ex2_bf16(uint32_t x) { return mufu_h200_to_bf16(mufu_h200_ex2(x << 16)); }
static inline uint32_t mufu_h200_tanh_bf16(uint32_t x) { return mufu_h200_to_bf16(mufu_h200_tanh(x << 16)); }

#endif
