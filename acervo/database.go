package acervo

import (
	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/acervo-graph/acervo/layers"
)

// Database is a place for the memories of some owners; see [Options.DatabaseFor].
// Two that are equal by == are one place, so the driver has to be a pointer, as
// those of the driver's package are, and the same one each time.
type Database struct {
	// Driver reaches the server. The caller keeps owning it: the client never
	// closes it. Default: the client's own driver.
	Driver neo4j.DriverWithContext
	// Name is the name of the database there. Default: that of the client's own
	// database ([Options.Database]).
	Name string
}

// ForOwner returns the client of the database that the owner's memory is in, by
// [Options.DatabaseFor]; without that, or for an owner that isn't allowed, it is
// the client itself. It is for what belongs to a database and not to one owner:
// [Client.Migrate], [Client.World], packs, types and relations. A database's
// ontology, schema and UNIVERSAL knowledge are its own.
//
// There is one such client for each database, made when it is first asked for,
// without I/O. It shares the options and the logger, has bookmarks of its own,
// and needs no Close. Its [Client.Memory] still finds each owner where
// DatabaseFor says.
func (c *Client) ForOwner(owner string) *Client {
	root := c.root
	if root.opts.DatabaseFor == nil || layers.CheckOwner(owner) != nil {
		return root
	}
	place := root.opts.DatabaseFor(owner)
	if place.Driver == nil {
		place.Driver = root.driver
	}
	if place.Name == "" {
		place.Name = root.opts.Database
	}
	if place == (Database{root.driver, root.opts.Database}) {
		return root
	}
	root.placesMu.Lock()
	defer root.placesMu.Unlock()
	if there, ok := root.places[place]; ok {
		return there
	}
	opts := root.opts
	opts.Database = place.Name
	there := New(place.Driver, &opts)
	there.root = root
	if root.places == nil {
		root.places = map[Database]*Client{}
	}
	root.places[place] = there
	return there
}
