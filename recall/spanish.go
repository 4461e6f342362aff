package recall

import "github.com/kljensen/snowball/spanish"

func spanishWords() language {
	return language{
		isStop: spanish.IsStopWord,
		stop: `a al ante aquel aquella aquello aqui ahi alla alli asi aun aunque bajo cada casi como con contra cual cuales
			cuando cuanto cuanta cuantos cuantas cuya cuyo de del desde donde dos e el ella ellas ello ellos en entre era eran
			eras es esa esas ese eso esos esta estaba estado estan estar estas este esto estos estoy etc fue fueron fui gran
			ha habia han has hasta hay haya he hemos hoy ayer anoche manana mañana ahora antes despues luego siempre nunca
			incluso ir va vas vamos van voy iba la las le les lo los mas mas me mejor menos mi mia mias mio mios mis mismo misma mucha muchas
			mucho muchos muy nada nadie ni ningun ninguna ninguno no nos nosotros nosotras o os otra otras otro otros para
			pero poco por porque pues que quien quienes se sea ser si sido sin sobre solo son soy su sus suya suyo tal tambien
			tampoco tan tanta tanto te ti toda todas todavia todo todos tu tus tuya tuyo u un una unas uno unos usted ustedes
			vez veces vos vosotros y ya yo alguien algo algun alguna algunas alguno algunos cosa cosas demas aparte ademas
			tengo tienes tenes tiene tenemos tienen tenia tener tuve tuvo hago haces hace hacer haciendo hice hizo hacia
			conozco conoces conoce conocer conocemos se sabes sabe sabes saber sabemos sabias dime decime dinos decir digo dice
			dijo dije contame cuentame cuenta cuentas contar muestrame mostrame muestra listame lista enumera recuerda
			recuerdas recordas recuerdo acuerdas acordas acuerdo acorde hablame hablar hablamos puedo puedes podes puede
			podrias poder quiero quieres queres quiere quisiera querer necesito debo creo llama llamo llamas llaman
			estas estabas sos eres somos hubo habra sera seria favor`,
		questions: `que qué quien quién quienes quiénes cual cuál cuales cuáles cuando cuándo donde dónde adonde adónde como
			cómo cuanto cuánto cuanta cuánta cuantos cuántos cuantas cuántas`,
		chat: `hola, buenas, buen dia, buenos dias, buenas tardes, buenas noches, que tal, como estas, como andas, como te va,
			todo bien, que haces, y tu, y vos, y usted, bien, muy bien, mal, mas o menos, ok, okey, okay, vale, dale, listo,
			perfecto, genial, barbaro, buenisimo, excelente, estupendo, claro, claro que si, por supuesto, desde luego, de acuerdo,
			entendido, entiendo, ya veo, esta bien, si, no, sip, nop, no se, tal vez, quizas, puede ser, gracias, muchas gracias,
			mil gracias, de nada, no hay de que, por favor, perdon, disculpa, lo siento, no pasa nada, chau, chao, adios,
			hasta mañana, hasta manana, hasta luego, hasta pronto, hasta la vista, hasta la proxima, nos vemos,
			nos vemos mañana, nos vemos manana, nos vemos luego, hablamos, hablamos luego, hablamos mañana, hablamos manana, buen finde,
			buen fin de semana, que descanses, que duermas bien, me voy, me voy a dormir, a dormir, sigamos, seguimos, adelante, bueno,
			ah, oh, uf, uy, ay, eh, mmm, ajá, aja, epa, che, wow, guau, jaja, jeje, jiji, jojo, increible, que bueno, que bien,
			que lindo, que pena, que lastima, que risa, me alegro, felicitaciones, felicidades, bravo, un abrazo, abrazo, besos,
			un beso, saludos, te quiero, te lo agradezco, interesante, no importa, da igual, igualmente, a vos, a ti,
			siempre, como siempre, lo de siempre, nada mas, eso es todo, suerte, buena suerte, mucha suerte, exitos, me parece bien,
			suena bien, hablemos de otra cosa, cambiemos de tema, otra cosa,
			nos vemos el lunes, nos vemos el martes, nos vemos el miercoles, nos vemos el miércoles, nos vemos el jueves,
			nos vemos el viernes, nos vemos el sabado, nos vemos el sábado, nos vemos el domingo,
			hasta el lunes, hasta el martes, hasta el miercoles, hasta el miércoles, hasta el jueves, hasta el viernes, hasta el sabado, hasta el sábado, hasta el domingo`,
		goesOn:   `y e pero entonces también tambien además ademas`,
		pronouns: `él ella ellas ellos eso esa ese esos esas aquello aquella aquel ahí ahi allí alli allá alla le les su sus suyo suya suyos suyas`,
		// "lo" and "la" are articles too; before the verb they follow "se" or a pronoun.
		lastPronouns: `lo la los las`,
		firstPerson: `yo mi mis mio mia mios mias conmigo nosotros nosotras nuestro nuestra nuestros nuestras soy somos estoy estamos
			vivo vivimos viví resido residimos trabajo trabajamos trabajé uso usamos utilizo utilizamos pertenezco pertenecemos
			poseo poseemos prefiero preferimos`,
		firstPersonObjects: `me nos`,
		types: map[string]string{
			"gente": "Persona", "a quien conozco, a quienes conozco": "Persona", "empresa, compañia, compania": "Organizacion", "sitio": "Lugar",
		},
		relations: map[string]string{
			"IS_A":            `tipo clase especie`,
			"CREATED_BY":      `crear creó creado creador creadora autor autora inventar inventó escribir escribió fundar fundó diseñar diseñó pintó compuso`,
			"ALIAS_OF":        `alias apodo sobrenombre`,
			"PART_OF":         `parte componente compone`,
			"SET_IN":          `ambientar ambientada transcurre sucede ocurre`,
			"DEBUTED_IN":      `debutar debutó debut`,
			"PUBLISHED_BY":    `publicar publicó publicado editorial`,
			"TRABAJA_EN":      `trabajar trabaja trabajo trabajó trabajando empleo empleado empleador emplea`,
			"VIVE_EN":         `vivir vive vivo vivía vivió viven residir reside domicilio dirección`,
			"DUEÑO_DE":        `dueño dueña dueños propietario propietaria poseer posee`,
			"PERTENECE_A":     `pertenecer pertenece pertenezco miembro`,
			"USA_TECNOLOGIA":  `usar usa uso utilizar utiliza tecnología tecnologías`,
			"TIENE_MODULO":    `módulo módulos`,
			"GUSTA_DE":        `gustar gusta gustan gustaba gustos encantar encanta preferir prefiere favorito favorita favoritos favoritas`,
			"FAMILIAR_DE":     `familia familiar familiares pariente hermano hermana madre padre mamá papá hijo hija tío tía primo prima abuelo abuela nieto nieta esposo esposa marido sobrino sobrina suegro suegra cuñado cuñada`,
			"RELACIONADO_CON": `relacionar relacionado relacionada relación vínculo`,
		},
		singular: singularSpanish,
		stem:     stemSpanish,
	}
}
