// Finds the faces in an image that the page sends. The key stays here, and errors stay in the log.
const maxImageBytes = 5 * 1024 * 1024;

// region detect
/** @param image the bytes of one image @param mediaType for example image/jpeg */
export async function detect(image, mediaType) {
  const response = await fetch(`${process.env.API_URL}/detect`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${process.env.API_KEY}`, 'Content-Type': mediaType },
    body: image,
  });
  const { success, data, error, requestId } = await response.json();
  if (success) return data.faces;
  throw new Error(`${error.code}: ${error.message} (${requestId})`);
}
// endregion

/** A route of your own backend, such as POST /detect. */
export async function handleDetect(request, response) {
  const reply = (status, body) =>
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  try {
    const chunks = [];
    let bytes = 0;
    for await (const chunk of request) {
      bytes += chunk.length;
      if (bytes > maxImageBytes) throw new Error('The image is too large.');
      chunks.push(chunk);
    }
    reply(200, { faces: await detect(Buffer.concat(chunks), request.headers['content-type']) });
  } catch (error) {
    console.error(error);
    reply(500, { error: 'Face detection failed' });
  }
}
