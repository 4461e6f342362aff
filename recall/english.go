package recall

import "github.com/kljensen/snowball/english"

func englishWords() language {
	return language{
		isStop: english.IsStopWord,
		stop: `a about after again all also always am an and another any anybody anyone anything are as at be because been before
			being but by can could d did do does doing don for from get had has have having he her here hers him his how i if in
			into is isn it its just ll m may me might more most much my myself never no nobody nor not nothing now of off on
			once one ones only or other our ours out over own please re s same shall she should so some somebody someone something
			still such t than that the their theirs them then there these they thing things this those to today tonight tomorrow
			yesterday too until up us ve very was we were what whatever when where which while who whom whose why will with would
			yet you your yours know known knew tell told say said show list remember recall give want need like let lets think talk
			talked speak called call got apart besides except`,
		questions: `what who whom whose which when where why how is are was were do does did can could will would should`,
		chat: `hi, hello, hey, hi there, hello there, good morning, good afternoon, good evening, good night, how are you,
			how are you doing, how is it going, how s it going, hows it going, what s up, whats up, sup, and you, fine, i m fine, good, great, well, ok, okay, k, sure, of course,
			right, alright, all right, perfect, cool, nice, awesome, excellent, wonderful, got it, i see, understood, makes sense,
			yes, yeah, yep, yup, no, nope, maybe, perhaps, i don t know, no idea, thanks, thank you, thank you very much,
			thanks a lot, many thanks, thx, ty, cheers, you re welcome, no problem, no worries, never mind, nevermind, please, sorry, excuse me,
			my bad, bye, goodbye, bye bye, see you, see you later, see you soon, see you tomorrow, see ya, talk to you later,
			talk later, talk soon, until tomorrow, good bye, take care, have a nice day, have a good day, have a good one, sleep well, i m off, i m going to bed,
			go on, let s go on, continue, lets continue, let s continue, next, done, ah, oh, uh, um, hmm, mm, wow, oops, haha, hehe, hihi, lol, lmao, rofl, xd, omg,
			amazing, interesting, congratulations, congrats, well done, good job, great job, so, that s great, that s good, that s nice, that s all,
			that s fine, that s right, sounds good, love it, i love it, same here, me too, good luck, best of luck, let s talk about,
			something else, lets talk about something else, let s, fine by me, fair enough,
			see you on monday, see you on tuesday, see you on wednesday, see you on thursday,
			see you on friday, see you on saturday, see you on sunday,
			see you monday, see you tuesday, see you wednesday, see you thursday, see you friday, see you saturday, see you sunday`,
		goesOn:       `and but then also`,
		pronouns:     `he she him her his hers they them their theirs it its those these`,
		lastPronouns: `that this there one ones`,
		firstPerson:  `i my mine myself we our ours ourselves`, firstPersonObjects: `me`,
		types:    map[string]string{"who do i know, whom do i know": "Persona", "company, firm": "Organizacion"},
		notTypes: `work works`,
		relations: map[string]string{
			"IS_A":            `kind type sort`,
			"CREATED_BY":      `create created creator made author wrote written invented inventor founded founder designed painted composed`,
			"ALIAS_OF":        `alias nickname nicknamed aka`,
			"PART_OF":         `part component`,
			"SET_IN":          `set setting takes`,
			"DEBUTED_IN":      `debut debuted`,
			"PUBLISHED_BY":    `publish published publisher`,
			"TRABAJA_EN":      `work works working worked job employed employer employs`,
			"VIVE_EN":         `live lives living lived reside resides residence address`,
			"DUEÑO_DE":        `own owns owned owner possess whose`,
			"PERTENECE_A":     `belong belongs belonged member`,
			"USA_TECNOLOGIA":  `use uses used using technology technologies`,
			"TIENE_MODULO":    `module modules`,
			"GUSTA_DE":        `like likes liked love loves enjoy enjoys prefer prefers favorite favourite favorites favourites`,
			"FAMILIAR_DE":     `family relative relatives brother sister mother father mom mum dad son daughter uncle aunt cousin grandfather grandmother grandson granddaughter wife husband nephew niece`,
			"RELACIONADO_CON": `related relation relationship connected connection`,
		},
		singular: singularEnglish,
		stem:     stemEnglish,
	}
}
