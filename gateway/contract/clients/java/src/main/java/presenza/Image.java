package presenza;

import com.fasterxml.jackson.annotation.JsonValue;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;

/**
 * A JPEG, PNG, WebP, GIF or HEIC image.
 *
 * @param dataUri the image as the API accepts it, in base64
 */
public record Image(@JsonValue String dataUri) {
  /**
   * An image from the bytes of its file.
   *
   * @throws PresenzaException INVALID_IMAGE if the bytes are in none of these formats
   */
  public static Image of(byte[] bytes) {
    return new Image("data:image/" + formatOf(bytes) + ";base64," + Base64.getEncoder().encodeToString(bytes));
  }

  /**
   * An image from a file.
   *
   * @throws PresenzaException INVALID_IMAGE if the file has none of these formats
   * @throws IOException if the file cannot be read
   */
  public static Image of(Path file) throws IOException {
    return of(Files.readAllBytes(file));
  }

  /** The first bytes define the format. */
  private static String formatOf(byte[] bytes) {
    String start = new String(bytes, 0, Math.min(bytes.length, 12), StandardCharsets.ISO_8859_1);
    if (start.startsWith("\u00ff\u00d8\u00ff")) return "jpeg";
    if (start.startsWith("\u0089PNG\r\n\u001a\n")) return "png";
    if (start.startsWith("RIFF") && start.startsWith("WEBP", 8)) return "webp";
    if (start.startsWith("GIF87a") || start.startsWith("GIF89a")) return "gif";
    // The service explains why it refuses sequences.
    if (start.substring(Math.min(4, start.length())).matches("ftyp(hei[cxms]|hev[cxms]|mif[12]|msf1|miaf)")) return "heic";
    String message = "The bytes are not a JPEG, PNG, WebP, GIF or HEIC image.";
    throw PresenzaException.unsent("INVALID_IMAGE", "format", message);
  }
}
