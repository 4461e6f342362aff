package fulltext

import "strings"

// common are words of Spanish and English, folded, that say nothing of what is
// searched for. They count only where there is nothing else.
var common = func() map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(`
		a al algo ante antes aquel aquella aquellos aqui asi aun aunque cada como con cual cuales cuando cuanto
		de del desde donde dos e el ella ellas ellos en entonces era eran eres es esa esas ese eso esos esta estaba
		estan estar estas este esto estos estoy fue fueron ha habia han hasta hay he hemos la las le les lo los
		mas me mi mia mio mis mucho muy nada ni no nos nosotros o os otra otro para pero por porque pues que quien
		quienes se sea ser si sin sobre son soy su sus suya suyo tambien tan tanto te tengo tiene tienen toda todas
		todo todos tu tus un una unas uno unos usted ustedes y ya yo
		about after all also am an and any are as at be because been before but by can could did do does for from
		had has have her here hers him his how i if in into is it its just my nor not of on or our out over own
		shall she should so some such than that the their them then there these they this those to too under until
		up us was we were what when where which while whom whose why will with would you your
		s t d m ll re ve don didn doesn isn aren wasn weren won`) {
		set[w] = true
	}
	return set
}()
