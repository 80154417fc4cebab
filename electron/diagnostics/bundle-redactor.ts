import { setImmediate } from 'node:timers/promises';
import { createRedactor, type Redact } from '#runtime/redact.ts';
import type { Secret } from '#runtime/secret.ts';
import { tornMargin } from './log-tails.ts';

/** How the name of a secret ends, in settings, addresses, command lines and JSON. */
const name =
  '(?:password|passwd|passphrase|pwd|secret|token|api[_-]?key|credential|private[_-]?key)[\\w-]{0,20}';

/** @param between the name and its value @param character of a value @param before the name */
const suspect = (between: string, character: string, before = ''): RegExp =>
  new RegExp(`(${before}${name}${between})${character}{1,2000}`, 'gi');

/**
 * Recognizes unregistered secrets by the text around them. No log line of ours contains one; but a bundle goes to other
 * people, so here it is better to cut a word too many than one too few. All runs are bounded, as in runtime/redact.ts.
 */
const suspects: readonly (readonly [RegExp, string])[] = [
  [
    /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----(?:(?!-----)[\s\S]){1,8000}(?:-----END)?/g,
    '[redacted private key]',
  ],
  [
    /((?:authorization|cookie)\\{0,3}["']?\s{0,3}[:=]\s{0,3}\\{0,3}["']?)[^"'\\\r\n]{1,2000}/gi,
    '$1[redacted]',
  ],
  // Our own tokens, of whatever kind: runtime/redact.ts lets one kind into the log.
  [/(?<![a-z])([a-z]{3,4}_(?:[a-z0-9]{1,40}_)?)[\w-]{43}(?![\w-])/g, '$1[redacted]'],
  // A machine's ID, also where hiddenPart could not find out which one it is.
  [/(sha256:[0-9a-f]{16})[0-9a-f]{48}/g, '$1[redacted]'],
  // An encryption key that has since been changed; a line of a private key, whose beginning may be in another chunk.
  [/(?<![\w+/=-])[A-Za-z0-9+/]{64}(?![\w+/=-])/g, '[redacted key]'],
  // What Postgres quotes of a row that it rejects: it may be an account with its password's hash.
  [
    /(Failing row contains \(|\bKey \([^()\r\n]{1,200}\)=\()(?:\\[^\r\n]|[^"\\\r\n]){1,8000}/g,
    '$1[redacted]',
  ],
  // Shorter ones would be words: a bot that reconnects.
  [/\b(Bearer|Basic|Bot)(\s{1,3})[\w+/=.~-]{16,2000}/gi, '$1$2[redacted]'],
  // A Discord token: the bot's id in base64, a time, a signature.
  [/\b[\w-]{22,32}\.[\w-]{5,8}\.[\w-]{25,80}/g, '[redacted token]'],
  [/(discord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/\d{1,22})\/[\w-]{1,200}/gi, '$1/[redacted]'],
  // `HTTPS_PROXY=name:password@host`, without a scheme
  [/(proxy\\{0,7}["'`]?\s{0,3}[=:]\s{0,3}\\{0,7}["'`]?)[^\s"'`]{1,2000}@/gi, '$1[redacted]@'],
  // `"password": "…"`
  [suspect('"\\s{0,3}:\\s{0,3}"', '(?:[^"\\\\\\r\\n]|\\\\[^\\r\\n])'), '$1[redacted]'],
  // The same inside another line, which has escaped its quotes.
  [suspect('\\\\{1,7}"\\s{0,3}:\\s{0,3}\\\\{1,7}"', '[^"\\\\\\r\\n]'), '$1[redacted]'],
  // `password: '…'`
  [suspect(`\\s{0,3}[=:]\\s{0,3}'`, `[^'\\r\\n]`), '$1[redacted]'],
  // `password=…`, `PASSWORD: …`, `?ServerAdminPassword=…`
  [suspect('\\s{0,3}[=:]\\s{0,3}\\\\{0,7}["`]?', '[^\\s"\'`&?,;\\\\]'), '$1[redacted]'],
  // `--password …`
  [suspect('\\s{1,3}\\\\{0,7}["\']?', '[^\\s"\'\\\\]', '--[\\w-]{0,40}?'), '$1[redacted]'],
  // `<property name="TelnetPassword" value="…"/>`
  [suspect('\\\\{0,7}["\']\\s{1,3}value=\\\\{0,7}["\']', '[^"\'\\\\\\r\\n]'), '$1[redacted]'],
  // `alter role … password '…'`
  [/(password\s{1,3}')[^'\r\n]{1,2000}/gi, '$1[redacted]'],
];

/** Redacts what goes into a bundle, and into the few lines that a page shows. */
interface BundleRedactor {
  readonly redact: Redact;
  /** Redacts a long text without blocking the process; an excessively long line is cut. */
  redactLong(text: string): Promise<string>;
}

/** In characters; twice what the supervisor writes into one line. */
const chunkLength = 128 * 1024;

export const createBundleRedactor = (secrets: Iterable<Secret | string>): BundleRedactor => {
  const known = createRedactor(secrets);
  const redact: Redact = (text) => {
    let clean = known(text);
    for (const [shape, replacement] of suspects) clean = clean.replace(shape, replacement);
    return clean;
  };
  return {
    redact,
    async redactLong(text) {
      const chunks: string[] = [];
      for (let from = 0; from < text.length; ) {
        const usual = from + chunkLength;
        // At the end of a line, so that no secret is torn.
        const lineEnd = usual >= text.length ? text.length : text.lastIndexOf('\n', usual) + 1;
        if (lineEnd > from) {
          chunks.push(redact(text.slice(from, lineEnd)));
          from = lineEnd;
        } else {
          const nextLine = text.indexOf('\n', usual) + 1;
          chunks.push(`${redact(text.slice(from, usual)).slice(0, -tornMargin)} … (cut)\n`);
          from = nextLine === 0 ? text.length : nextLine;
        }
        await setImmediate();
      }
      return chunks.join('');
    },
  };
};
