import com.amazonaws.services.dynamodbv2.local.main.ServerRunner;
import com.amazonaws.services.dynamodbv2.local.server.DynamoDBProxyServer;
import java.lang.reflect.Field;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/**
 * DynamoDB Local on 127.0.0.1 alone, on a port that the system chooses and that is printed.
 *
 * Its own command listens on every address and on a port that must be known before it is free. It ends when
 * its input does, so that it never outlives the tests that started it, however those end.
 */
public final class Loopback {
  public static void main(String[] arguments) throws Exception {
    DynamoDBProxyServer dynamodb = ServerRunner.createServerFromCommandLineArgs(arguments);
    Field held = DynamoDBProxyServer.class.getDeclaredField("server");
    held.setAccessible(true);
    Server jetty = (Server) held.get(dynamodb);
    for (Connector connector : jetty.getConnectors()) {
      ((ServerConnector) connector).setHost("127.0.0.1");
      ((ServerConnector) connector).setPort(0);
    }
    dynamodb.start();
    System.out.println("port " + ((ServerConnector) jetty.getConnectors()[0]).getLocalPort());
    System.setOut(System.err);
    while (System.in.read() >= 0) {
      continue;
    }
    Runtime.getRuntime().halt(0);
  }
}
