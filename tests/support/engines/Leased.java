import java.io.IOException;
import java.lang.reflect.Method;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * An OpenSearch node that lives for as long as somebody holds a lease on it.
 *
 * A lease is a connection to the port that is printed, answered with the word of LEASE_WORD. Connections end with the
 * processes that hold them, however those end; with the last one ends the node, and so it does when nobody comes.
 * With the node goes what it keeps in the folder of LEASE_DATA, which may be memory.
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
      end(1);
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
      end(0);
    }
  }

  private static void end(int status) {
    Path data = Path.of(System.getenv("LEASE_DATA"));
    // The node goes on writing meanwhile.
    for (int times = 0; times < 5 && Files.exists(data); times++) {
      remove(data);
    }
    Runtime.getRuntime().halt(status);
  }

  private static void remove(Path data) {
    try (Stream<Path> found = Files.walk(data)) {
      List<Path> deepestFirst = found.sorted(Comparator.reverseOrder()).toList();
      for (Path path : deepestFirst) {
        Files.deleteIfExists(path);
      }
    } catch (IOException | RuntimeException gone) {
      // By the node itself, or there is a new one of it: what is left goes the next time.
    }
  }

  private static void start(Runnable work) {
    Thread thread = new Thread(work);
    thread.setDaemon(true);
    thread.start();
  }
}
