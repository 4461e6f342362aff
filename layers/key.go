package layers

// Key names a node to one owner, whatever its layer: "p:butaco" is the owner's
// own node, "w:angular" a UNIVERSAL one. Sessions and facts hold such keys.
type Key string

// The prefixes of keys.
const (
	personalPrefix  = "p:"
	universalPrefix = "w:"
)

// PersonalKey returns the key of an owner's own node.
func PersonalKey(id string) Key { return personalPrefix + Key(id) }

// UniversalKey returns the key of a UNIVERSAL node.
func UniversalKey(id string) Key { return universalPrefix + Key(id) }

// KeyOf returns the key of a node of a layer. Anything but UNIVERSAL counts as
// PERSONAL, so that a mistake never makes a node shared.
func KeyOf(layer Layer, id string) Key {
	if layer == Universal {
		return UniversalKey(id)
	}
	return PersonalKey(id)
}

// Split returns the layer and the id that a key is made of, or false if it
// isn't a key.
func (k Key) Split() (layer Layer, id string, ok bool) {
	if len(k) <= len(personalPrefix) {
		return "", "", false
	}
	prefix, rest := k[:len(personalPrefix)], k[len(personalPrefix):]
	switch prefix {
	case personalPrefix:
		return Personal, string(rest), true
	case universalPrefix:
		return Universal, string(rest), true
	}
	return "", "", false
}
