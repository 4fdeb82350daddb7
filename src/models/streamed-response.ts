/** What is known of a reply before its body has come. */
type Head = Pick<Response, 'status' | 'statusText' | 'headers'>;

/**
 * A reply that streams, with what provider packages read of one: they take its body and look at its head. To make a whole `Response` of
 * it takes a tenth of a round trip (`npm run bench round-trip`), so that is left until somebody asks for more.
 */
export function streamedResponse(
  body: ReadableStream<Uint8Array>,
  { status, statusText, headers }: Head,
): Response {
  const head = { status, statusText, headers };
  const whole = () => new Response(body, head);
  const streamed: Partial<Response> = {
    ...head,
    body,
    ok: status >= 200 && status < 300,
    redirected: false,
    type: 'default',
    url: '',
    clone: () => whole().clone(),
    text: () => whole().text(),
    json: () => whole().json(),
    arrayBuffer: () => whole().arrayBuffer(),
    blob: () => whole().blob(),
  };
  return streamed as Response;
}
