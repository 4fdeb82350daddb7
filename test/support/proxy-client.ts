/** Without single quotes, so that a shell takes it as it is. */
const CLIENT = `
const http = require("node:http");
const [mode, target] = process.argv.slice(1);
const failed = (error) => { console.log(error.code); process.exitCode = 7; };
const shown = (response) => response.pipe(process.stdout);
const { hostname: host, port } = new URL(process.env.http_proxy ?? "http://127.0.0.1:9");
if (mode === "get") http.get({ host, port, path: target }, shown).on("error", failed);
if (mode === "tunnel")
  http.request({ host, port, method: "CONNECT", path: target }).on("error", failed).on("connect", (answer, socket) => {
    if (answer.statusCode === 200) return http.get({ path: "/", createConnection: () => socket }, shown);
    console.log(answer.statusCode, answer.statusMessage);
    socket.destroy();
  }).end();
if (mode === "direct") {
  const [to, at] = target.split(":");
  require("node:net").connect(Number(at), to, () => { console.log("REACHED"); process.exit(); }).on("error", failed);
}`;

/**
 * Functions for the beginning of a command: `get URL` and `tunnel HOST:PORT` go through the proxy that the environment names
 * and print what comes, `direct HOST:PORT` goes past it.
 */
export const PROXY_CLIENT = ['get', 'tunnel', 'direct']
  .map((mode) => `${mode}() { '${process.execPath}' -e '${CLIENT}' ${mode} "$1"; }\n`)
  .join('');
