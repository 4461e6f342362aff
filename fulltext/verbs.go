package fulltext

import (
	"slices"
	"strings"
)

// verbs are infinitives of Spanish verbs, folded, whose forms are found by each other.
// The list is closed because the endings alone don't tell: "toco" and "toca" are forms
// of one verb, "gato" and "gata", "casa" and "caso" look the same and aren't. There are
// regular ones in it, none whose vowel changes (juego, jugar), and none with a form
// that is another common word: "camino" may find "caminar", but "salta" is a city,
// "cosa" of "coser" a thing, "marco" and "tomas" are names.
var verbs = func() map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(`
		abrazar ahorrar alcanzar alquilar analizar apagar aplicar arrancar arreglar atacar avanzar ayudar bailar buscar
		cambiar caminar cantar celebrar cocinar colocar comprar comunicar cruzar dedicar dejar desarrollar descansar
		descargar desear dibujar disenar editar ensenar entregar entrenar escuchar esperar estudiar explicar fabricar
		filmar fumar gastar grabar guardar hablar indicar instalar inventar investigar invitar limpiar llegar llevar
		manejar masticar mirar navegar necesitar odiar olvidar organizar pagar participar patinar pintar practicar
		preparar programar realizar regresar reparar respirar rezar robar roncar terminar tocar trabajar utilizar viajar
		visitar votar
		aprender comprender correr depender prometer responder romper temer vender
		abrir aburrir anadir asistir compartir cumplir decidir definir describir descubrir discutir escribir existir
		imprimir insistir permitir recibir subir sufrir transmitir vivir`) {
		set[w] = true
	}
	return set
}()

// The endings of regular verbs, folded. Those of the subjunctive of -er and -ir are
// left out, which are those of nouns, and -ian for the name Vivian.
var (
	endingsAr = strings.Fields("o a as an amos aste aron aba abas aban abamos ando ado ada ados adas ar are aras ara aran aremos aria arias arian ariamos")
	// endingsE are those of -ar before which the stem is spelled in another way.
	endingsE  = strings.Fields("e es en emos")
	endingsEr = strings.Fields("o es e en emos i iste io imos ieron ia ias iamos iendo ido ida idos idas er ere eras era eran eremos eria erias erian eriamos")
	endingsIr = strings.Fields("o es e en imos i iste io ieron ia ias iamos iendo ido ida idos idas ir ire iras ira iran iremos iria irias irian iriamos")
	// endingsSure are those that make a verb of any stem of three letters or more:
	// they find each other, and nothing else.
	endingsSure = strings.Fields("ar aba abas aban abamos aron")
)

// verbsOf gives the infinitives that a folded word may be a form of, each once.
func verbsOf(w string) []string {
	var found []string
	add := func(infinitive string, known bool) {
		if known && !slices.Contains(found, infinitive) {
			found = append(found, infinitive)
		}
	}
	for _, base := range bases(w, endingsAr) {
		add(base+"ar", verbs[base+"ar"])
	}
	for _, base := range bases(w, endingsE) {
		hard := hardened(base)
		add(hard+"ar", verbs[hard+"ar"] && softened(hard) == base)
	}
	for _, base := range bases(w, endingsEr) {
		add(base+"er", verbs[base+"er"])
	}
	for _, base := range bases(w, endingsIr) {
		add(base+"ir", verbs[base+"ir"])
	}
	for _, base := range bases(w, endingsSure) {
		add(base+"ar", len(base) >= 3)
	}
	return found
}

// bases gives what is left of a word without each of the endings that it has.
func bases(w string, endings []string) []string {
	var left []string
	for _, ending := range endings {
		if base, ok := strings.CutSuffix(w, ending); ok {
			left = append(left, base)
		}
	}
	return left
}

// verbPattern gives a regular expression of Lucene for the forms of a verb.
func verbPattern(infinitive string) string {
	base, class := infinitive[:len(infinitive)-2], infinitive[len(infinitive)-2:]
	with := func(endings []string) string { return "(" + strings.Join(endings, "|") + ")" }
	switch {
	case !verbs[infinitive]:
		return base + with(endingsSure)
	case class == "er":
		return base + with(endingsEr)
	case class == "ir":
		return base + with(endingsIr)
	}
	return base + with(endingsAr) + "|" + softened(base) + with(endingsE)
}

// softened gives the stem of a verb as it is spelled before e: "toqu" of "tocar".
func softened(base string) string {
	switch n := len(base) - 1; {
	case n < 0:
	case base[n] == 'c':
		return base[:n] + "qu"
	case base[n] == 'g':
		return base + "u"
	case base[n] == 'z':
		return base[:n] + "c"
	}
	return base
}

// hardened undoes softened.
func hardened(base string) string {
	if s, ok := strings.CutSuffix(base, "qu"); ok {
		return s + "c"
	}
	if s, ok := strings.CutSuffix(base, "gu"); ok {
		return s + "g"
	}
	if s, ok := strings.CutSuffix(base, "c"); ok {
		return s + "z"
	}
	return base
}
