/** Starts Neo4j Community; releases of 2025 and later have no main class for it. */
public final class Start {
    public static void main(String[] args) {
        int status = org.neo4j.server.NeoBootstrapper.start(new org.neo4j.server.CommunityBootstrapper(), args);
        if (status != 0) {
            System.exit(status);
        }
    }
}
