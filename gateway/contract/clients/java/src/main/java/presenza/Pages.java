package presenza;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collections;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Function;

/** Iterates over the items of all pages of a list and reads a page when its first item is needed. */
final class Pages<T> implements Iterator<T> {
  private final Function<String, JsonNode> pageAt;
  private final Class<T> type;
  private Iterator<JsonNode> items = Collections.emptyIterator();
  private String cursor;
  private boolean isLast;

  /** @param pageAt returns {@code data} of the page at a cursor, or of the first page for null */
  Pages(Function<String, JsonNode> pageAt, Class<T> type) {
    this.pageAt = pageAt;
    this.type = type;
  }

  @Override
  public boolean hasNext() {
    while (!items.hasNext() && !isLast) {
      JsonNode page = pageAt.apply(cursor);
      items = page.path("items").elements();
      cursor = page.path("nextCursor").asText(null);
      isLast = cursor == null;
    }
    return items.hasNext();
  }

  @Override
  public T next() {
    if (!hasNext()) throw new NoSuchElementException();
    return Presenza.JSON.convertValue(items.next(), type);
  }
}
