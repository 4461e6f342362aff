package fulltext

import "strings"

// The forms of English words that no rule gives: the first of them by each, and all
// by the first, as a pattern. Regular forms are there where the rules don't give them
// by the others. What is a common word of its own or a name, in either language, is left
// out: saw, left, found, felt, come, drew.
var irregularOf, irregularForms = func() (first, pattern map[string]string) {
	first, pattern = map[string]string{}, map[string]string{}
	for line := range strings.Lines(`child children
		person people
		man men
		woman women
		mouse mice
		foot feet
		tooth teeth
		goose geese
		ox oxen
		wife wives
		life lives
		knife knives
		leaf leaves
		wolf wolves
		shelf shelves
		half halves
		thief thieves
		loaf loaves
		calf calves
		scarf scarves
		analysis analyses
		crisis crises
		thesis theses
		criterion criteria
		phenomenon phenomena
		begin begins began begun beginning
		break breaks broke broken breaking
		bring brings brought bringing
		build builds built
		buy buys bought buying
		catch catches caught catching
		choose chooses chose chosen choosing
		draw draws drawn drawing
		drink drinks drank drunk drinking
		drive drives drove driven driving
		eat eats ate eaten eating
		fall falls fell fallen falling
		fight fights fought fighting
		fly flies flew flown flying
		forget forgets forgot forgotten forgetting
		forgive forgives forgave forgiven forgiving
		freeze freezes froze frozen freezing
		give gives gave given giving
		go goes went gone going
		grow grows grew grown growing
		hear hears heard hearing
		hide hides hid hidden hiding
		hold holds held holding
		keep keeps kept keeping
		know knows knew known knowing
		learn learns learnt learning
		lend lends lent lending
		lose loses lost losing
		meet meets met meeting
		pay pays paid paying
		ride rides rode ridden riding
		run runs ran running
		see sees seen seeing
		sell sells sold selling
		send sends sent sending
		shake shakes shook shaken shaking
		sing sings sang sung singing
		sleep sleeps slept sleeping
		speak speaks spoke spoken speaking
		spend spends spent spending
		steal steals stole stolen stealing
		swim swims swam swum swimming
		take takes took taken taking
		teach teaches taught teaching
		tell tells told telling
		think thinks thought thinking
		throw throws threw thrown throwing
		understand understands understood understanding
		wake wakes woke woken waking
		wear wears wore worn wearing
		win wins won winning
		write writes wrote written writing`) {
		forms := strings.Fields(line)
		for _, w := range forms {
			first[w] = forms[0]
		}
		pattern[forms[0]] = "(" + strings.Join(forms, "|") + ")"
	}
	return first, pattern
}()
