import java.io.IOException;
import java.lang.reflect.Method;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An OpenSearch node that lives for as long as somebody holds a lease on it.
 *
 * A lease is a connection to the port that is printed, answered with the word of LEASE_WORD. Connections end with the
 * processes that hold them, however those end; with the last one ends the node, and so it does when nobody comes.
 */
public final class Leased {
  private static final int PATIENCE_MS = 60_000;
  private static final AtomicInteger HELD = new AtomicInteger();

  public static void main(String[] arguments) throws Exception {
    ServerSocket door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    System.out.println("lease " + door.getLocalPort());
    start(() -> admit(door, System.getenv("LEASE_WORD")));
    Method node = Class.forName("org.opensearch.bootstrap.OpenSearch").getDeclaredMethod("main", String[].class);
    node.setAccessible(true);
    node.invoke(null, (Object) arguments);
  }

  private static void admit(ServerSocket door, String word) {
    try {
      door.setSoTimeout(PATIENCE_MS);
      while (true) {
        Socket holder = door.accept();
        door.setSoTimeout(0);
        HELD.incrementAndGet();
        holder.getOutputStream().write((word + "\n").getBytes(StandardCharsets.UTF_8));
        start(() -> wait(holder));
      }
    } catch (IOException nobody) {
      Runtime.getRuntime().halt(1);
    }
  }

  private static void wait(Socket holder) {
    try (holder) {
      while (holder.getInputStream().read() >= 0) {
        continue;
      }
    } catch (IOException gone) {
      // As good as a farewell.
    }
    if (HELD.decrementAndGet() == 0) {
      Runtime.getRuntime().halt(0);
    }
  }

  private static void start(Runnable work) {
    Thread thread = new Thread(work);
    thread.setDaemon(true);
    thread.start();
  }
}
