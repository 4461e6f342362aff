// Package acervo keeps what an assistant learns in conversation as a knowledge
// graph of two layers in a Neo4j database.
//
// UNIVERSAL knowledge is about the world and shared by every owner. PERSONAL
// knowledge is what one owner said and is visible to no one else. Relations may
// cross from one layer to the other. In each session of an owner the entities
// that were used are hot, those of the turn before are warm and everything else
// is cold; from them a small context for a language model is made.
//
//	client, err := acervo.Open(ctx, acervo.Config{URI: "neo4j://localhost:7687", Username: "neo4j", Password: password})
//	if err != nil {
//		return err
//	}
//	defer client.Close(ctx)
//	if _, err := client.Migrate(ctx); err != nil {
//		return err
//	}
//	memory := client.Memory("sandy").WithSession("chat-1")
//	_, err = memory.UpsertEntities(ctx, acervo.UpsertParams{
//		Entities:  []acervo.Entity{{Name: "Sandy", Type: "Persona"}, {Name: "Butaco", Type: "Proyecto"}},
//		Relations: []acervo.Relation{{From: "Sandy", To: "Butaco", Type: "DUEÑO_DE"}},
//		Facts:     []acervo.Fact{{Entity: "Butaco", Text: "ERP para empresa cliente"}},
//	})
//	turn, err := memory.Turn(ctx, acervo.TurnParams{Message: "¿Cómo va Butaco?"})
//	fmt.Println(turn.Context)
//
// What was said is found again by its words, without a name: [Memory.Search]; by what
// it means too, with an [Embedder] and the vectors of [Client.Reembed].
//
// What turns out wrong is corrected or retracted and stays in the history
// ([Memory.CorrectFact], [Memory.EndRelation], [Memory.AsOf]); what is one thing
// is merged ([Memory.Duplicates], [Memory.Merge]); what is to be gone is forgotten
// ([Memory.Forget]); and a memory moves to another database by [Memory.Export] and
// [Memory.Import]. Verified UNIVERSAL knowledge, which no owner changes, comes by
// [Memory.Verify] and by packs ([Client.InstallPack]).
//
// Cypher of one's own, which sees every owner, runs by [Client.Query] if it only reads.
//
// Every method takes a context, returns a result that says what happened to each
// item, and fails with an error that can be told apart with [errors.Is] and the
// sentinels of this package, or looked into with [errors.As]. Bad input is
// refused as a whole, with every fault named, before anything is sent.
package acervo
