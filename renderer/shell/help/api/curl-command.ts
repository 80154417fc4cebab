export const shells = ['bash', 'powershell', 'cmd'] as const;
export type Shell = (typeof shells)[number];

export interface CurlRequest {
  readonly method: string;
  readonly url: string;
  /** In addition to those of the key and the body. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Undefined: none. */
  readonly json?: unknown;
  /** The body is a file of this content type. */
  readonly fileType?: string;
  /** The file for an answer that is not text. */
  readonly saveAs?: string;
  /** It needs no key. */
  readonly isPublic: boolean;
}

/** The variable in which a script keeps its key, so that the key is not in the command history. */
export const keyVariable = 'CASTELLAN_API_KEY';

const variable = {
  bash: `$${keyVariable}`,
  powershell: `$env:${keyVariable}`,
  cmd: `%${keyVariable}%`,
} as const satisfies Record<Shell, string>;

/** Bash takes everything between single quotes literally. */
const quoteBash = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
/** So does PowerShell, but it also treats typographic quotes as quotes. */
const quotePowerShell = (text: string): string =>
  `'${text.replaceAll(/['\u2018\u2019\u201a\u201b]/g, '$&$&')}'`;
/** Within double quotes, `cmd` changes only these; in an address they are percent-encoded. */
const quoteCmd = (text: string): string =>
  `"${text.replaceAll(/["^<>|!]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)}"`;

const quote = { bash: quoteBash, powershell: quotePowerShell, cmd: quoteCmd } as const;

/**
 * JSON of harmless characters only: within its strings, everything that a Windows shell or an encoding could change is
 * escaped by its number. Outside of strings, JSON contains no such characters.
 */
export const plainJson = (value: unknown): string =>
  JSON.stringify(value)
    .replaceAll(/\\(["\\])/g, (_, sign: string) => numbered(sign))
    .replaceAll(/[&|<>^%!'`$\u007f-\uffff]/g, numbered);

const numbered = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** A placeholder for a value that the reader still has to fill in. */
export const placeholder = (name: string): string =>
  name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toUpperCase();

/** Characters that would end the quotes of these shells or be expanded within them; a header has no other way to write them. */
const unquotable = { bash: /(?!)/, powershell: /["\\]/, cmd: /["\\%^!&|<>]/ } as const satisfies Record<
  Shell,
  RegExp
>;

/** A value that the shell would change is replaced by its placeholder. */
const headerPart = (name: string, typed: string, shell: Shell): string => {
  const value = typed.replaceAll(/\p{Cc}+/gu, ' ').trim();
  const isSound = value !== '' && !unquotable[shell].test(value);
  return `-H ${quote[shell](`${name}: ${isSound ? value : placeholder(name)}`)}`;
};

const continued = { bash: ' \\\n  ', powershell: ' `\n  ', cmd: ' ^\n  ' } as const satisfies Record<
  Shell,
  string
>;

/**
 * A command that can be pasted at the prompt of a shell and sends exactly this request.
 * @param key the API key; null: the shell's variable is used
 */
export const curlCommand = (request: CurlRequest, shell: Shell, key: string | null): string => {
  const { method, url, headers = {}, json, fileType, saveAs, isPublic } = request;
  const inQuotes = quote[shell];
  const hasJson = json !== undefined;
  const parts = [
    `${shell === 'bash' ? 'curl' : 'curl.exe'} -X ${method} ${inQuotes(url)}`,
    ...(isPublic
      ? []
      : [
          `-H ${key === null ? `"Authorization: Bearer ${variable[shell]}"` : inQuotes(`Authorization: Bearer ${key}`)}`,
        ]),
    ...Object.entries(headers).map(([name, value]) => headerPart(name, value, shell)),
    ...(hasJson ? [`-H ${inQuotes('Content-Type: application/json')}`] : []),
    ...(fileType === undefined
      ? []
      : [`-H ${inQuotes(`Content-Type: ${fileType}`)}`, `--data-binary ${inQuotes('@FILE')}`]),
    ...(hasJson && shell === 'bash' ? [`--data-raw ${quoteBash(JSON.stringify(json, null, 2))}`] : []),
    // Each version of PowerShell passes double quotes to programs in its own way, so the body is piped in.
    ...(hasJson && shell === 'powershell' ? [`--data-binary '@-'`] : []),
    ...(hasJson && shell === 'cmd' ? [`--data-raw "${plainJson(json).replaceAll('"', '\\"')}"`] : []),
    ...(saveAs === undefined ? [] : [`-o ${inQuotes(saveAs)}`]),
  ];
  const command = parts.join(continued[shell]);
  return hasJson && shell === 'powershell' ? `${quotePowerShell(plainJson(json))} | ${command}` : command;
};

/** Whether a text can be a key; quotes and spaces pasted by mistake would break out of a command. */
export const isKeyLike = (text: string): boolean => /^[A-Za-z0-9._~+/=-]{16,300}$/.test(text);
