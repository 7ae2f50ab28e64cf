package presenza;

import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A rejected or failed call. It contains neither the API key nor any part of the request. A request that the client cannot
 * send has the code with which the service would reject it: INVALID_IMAGE, INVALID_API_KEY or INVALID_PARAMETERS.
 */
public final class PresenzaException extends RuntimeException {
  /** Codes of errors that no response from the service caused. */
  public static final String CONNECTION_FAILED = "CONNECTION_FAILED";

  public static final String TIMED_OUT = "TIMED_OUT";

  /** The response is not from this API, for example a proxy's error page. */
  public static final String UNEXPECTED_RESPONSE = "UNEXPECTED_RESPONSE";

  /** Statuses to retry if the code is unknown. */
  private static final Set<Integer> RETRYABLE_STATUSES = Set.of(408, 429, 502, 503, 504);

  private final transient ApiError error;
  private final int status;
  private final String requestId;
  private final Duration retryAfter;

  PresenzaException(ApiError error, int status, String requestId, Duration retryAfter) {
    super(error.getCode() + ": " + error.getMessage() + (status == 0 ? "" : " (" + status + ", " + requestId + ")"));
    this.error = error;
    this.status = status;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
  }

  PresenzaException(String code, String message, Throwable cause) {
    this(new ApiError().code(code).message(message), 0, null, null);
    initCause(cause);
  }

  /** The error of a request that the client cannot send. */
  static PresenzaException unsent(String code, String reason, String message) {
    return new PresenzaException(new ApiError().code(code).reason(reason).message(message), 0, null, null);
  }

  /** A code of errors.json, or one of the constants of this class. */
  public String getCode() {
    return error.getCode();
  }

  /** The specific cause within the code; null if the service did not send one. */
  public String getReason() {
    return error.getReason();
  }

  /** All fields that the service sent. */
  public ApiError getError() {
    return error;
  }

  /** HTTP status; 0 if there was no response, also if the client refused to send the request. */
  public int getStatus() {
    return status;
  }

  public String getRequestId() {
    return requestId;
  }

  /** Time to wait before the next attempt; null if the response has none. */
  public Duration getRetryAfter() {
    return retryAfter;
  }

  /** Follows the code, or the status if the code is unknown. */
  boolean isRetryable() {
    return getCode().equals(CONNECTION_FAILED)
        || OperationsApi.RETRYABLE.getOrDefault(getCode(), RETRYABLE_STATUSES.contains(status));
  }

  /**
   * Whether the response asks to wait for work in progress, such as the first request with the same Idempotency-Key. Such
   * a wait is not a retry.
   */
  boolean isUnderWay() {
    return status == 409 && retryAfter != null;
  }

  /** Retry-After plus exponential backoff with full jitter, so that rejected clients do not retry together. */
  Duration delay(int failures) {
    long backoffMs = Math.min(8000, 250L << Math.min(failures - 1, 6));
    Duration jitter = Duration.ofMillis(ThreadLocalRandom.current().nextLong(backoffMs));
    return retryAfter == null ? jitter : jitter.plus(retryAfter);
  }

  /** Reads seconds or an HTTP date (RFC 9110, section 10.2.3); null if the value is neither. */
  static Duration parseRetryAfter(String value, Instant now) {
    if (value.matches("\\d{1,9}")) return Duration.ofSeconds(Long.parseLong(value));
    try {
      Instant date = ZonedDateTime.parse(value, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
      return date.isBefore(now) ? Duration.ZERO : Duration.between(now, date);
    } catch (DateTimeParseException error) {
      return null;
    }
  }
}
