import type * as z from 'zod';

type Value = string | number;

/**
 * What is wrong with a value, as the API says it after the value's path. Each text has a code, so that clients can
 * phrase it in the reader's language; schemas use these messages, too.
 */
export const valueFaults = {
  missing: 'is missing',
  'text-expected': 'must be text',
  'number-expected': 'must be a number',
  'whole-expected': 'must be a whole number',
  'flag-expected': 'must be true or false',
  'list-expected': 'must be a list',
  'object-expected': 'must be an object',
  'time-expected': 'must be a date and time',
  'too-short': (least: Value) => `must have at least ${least} characters`,
  'too-long': (most: Value) => `must have at most ${most} characters`,
  'too-small': (least: Value) => `must be at least ${least}`,
  'too-large': (most: Value) => `must be at most ${most}`,
  'too-few': (least: Value) => `must have at least ${least} entries`,
  'too-many': (most: Value) => `must have at most ${most} entries`,
  choice: (values: Value) => `must be one of ${values}`,
  address: 'must be a web address',
  email: 'must be an e-mail address',
  id: 'must be a valid ID',
  form: 'must have the documented form',
  unknown: 'holds a field that is not known here',

  'control-characters': 'must have no control characters',
  'half-characters': 'must not hold NUL or half characters',
  'one-line': 'must be one line',
  'plain-line': 'must be one line without control characters',
  'visible-to-read': 'must have something to read',
  'visible-to-see': 'must have something to see',
  'says-nothing': 'must say something',
  'server-twice': 'must name each server once',
  'product-twice': 'names a product twice',
  'entry-twice': 'names the same twice',
  'password-or-code': 'must hold either the password or a code',
  scripts: 'must not mix letters of different scripts in one word',
  'community-name': 'must be a name of 1 to 200 characters without control characters',
  'name-shape': 'must be a name in letters, digits and signs',
  'license-key': 'must have the form CSTL-XXXX-XXXX-XXXX-XXXX',
  host: 'must be a host name or an IP address',
  'web-address': 'must be an address such as https://panel.example.com',
  'web-address-path': 'must be a host name without a path: the panel answers only at its root',
  'time-zone': 'must be an IANA time zone, such as America/Sao_Paulo',
  prefix: 'must be one to three punctuation marks, not a slash',
  printable: 'must be printable and without spaces',
  'visible-ascii': 'must be visible ASCII characters without spaces',
  'ascii-128': 'must be 1 to 128 visible ASCII characters',
  'ascii-200': 'must be 1 to 200 visible ASCII characters',
  'ascii-200-no-spaces': 'must be 1 to 200 visible ASCII characters without spaces',
  'discord-id': 'must be a Discord id: digits only',
  'member-number': 'must be the number of a member',
  digits: 'must be digits',
  decimal: 'must be a decimal number',
  'reward-code': 'must be 4 to 32 letters, digits and hyphens',
  'reward-code-letters': 'must hold 4 letters or digits',
  'discount-code': 'must be 3 to 24 letters, digits, hyphens or underscores',
  'short-code': 'must be a letter and then letters and digits, 12 at most',
  'small-letters': 'must be small letters, digits, and : . _ -',
  'lower-case': 'must be lower-case letters, digits, . _ -',
  'after-start': 'must come after its start',
  years: 'must be in the years from 2000 to 2999',
  'one-way': 'must go one way at least',
  'filter-word': 'must be a word, with two letters or more where it has a *',
  currency: 'must be an ISO 4217 code such as EUR',
  moment: 'must be YYYY-MM-DD or an ISO 8601 time',
  'iso-time': 'must be an ISO 8601 time',
  version: 'must be a version such as 1.2.3 or 1.2.3-beta.1',
  'minor-units': 'must be a whole number of minor units',
  'customer-email': 'must be an e-mail address, such as name@example.com',
  person: 'must be player:<id> or admin:<id>',
  'printable-200': 'must be 1 to 200 printable ASCII characters',
  'spaced-words': 'must be words with spaces between them',
  'currency-code': 'must be a currency code of ISO 4217',
  features: 'must be * or a list of names in lower-case letters, digits, . _ -',
  placeholders: (names: Value) => `knows only the placeholders ${names}`,
  'machine-keeps': (least: Value) => `must be at least ${least}: the game’s machine keeps no less`,
  taken: 'is in use already',
  'address-taken': (server: Value) => `is the address of the server “${server}”`,
} as const;
type FaultCode = keyof typeof valueFaults;

export interface ValueFault {
  readonly message: string;
  readonly code: string;
  readonly values: readonly string[];
}

/** A fault that no schema finds. @param values in the order of the text's parameters */
export const valueFault = (code: FaultCode, ...values: readonly Value[]): ValueFault => {
  const text = valueFaults[code] as string | ((...values: readonly Value[]) => string);
  return {
    message: typeof text === 'string' ? text : text(...values),
    code,
    values: values.map(String),
  };
};

/** Of a text that a database cannot store. */
export const unstorableFault: ValueFault = valueFault('half-characters');

const expected: Readonly<Record<string, FaultCode>> = {
  string: 'text-expected',
  number: 'number-expected',
  int: 'whole-expected',
  boolean: 'flag-expected',
  array: 'list-expected',
  object: 'object-expected',
  record: 'object-expected',
};

const formats: Readonly<Record<string, FaultCode>> = {
  url: 'address',
  email: 'email',
  uuid: 'id',
  guid: 'id',
  datetime: 'time-expected',
};

type Issue = z.core.$ZodIssue;

/** A schema's own message, which begins with a lower-case letter; zod's begin with a capital. */
const ownFaultOf = (message: string): ValueFault | null => {
  if (!/^[a-z]/.test(message)) return null;
  for (const [code, text] of Object.entries<string | ((...values: Value[]) => string)>(valueFaults)) {
    if (typeof text === 'string') {
      if (text === message) return { message, code, values: [] };
      continue;
    }
    const [before = '', after = ''] = text('\0').split('\0');
    if (
      message.length > before.length + after.length &&
      message.startsWith(before) &&
      message.endsWith(after)
    )
      return { message, code, values: [message.slice(before.length, message.length - after.length)] };
  }
  return { message, code: 'form', values: [] };
};

const bound = (issue: Extract<Issue, { code: 'too_small' | 'too_big' }>): ValueFault => {
  const isLow = issue.code === 'too_small';
  const limit = isLow ? issue.minimum : issue.maximum;
  if (issue.origin === 'string') {
    if (isLow && limit === 1) return valueFault('missing');
    return valueFault(isLow ? 'too-short' : 'too-long', String(limit));
  }
  if (issue.origin === 'array' || issue.origin === 'set')
    return valueFault(isLow ? 'too-few' : 'too-many', String(limit));
  return valueFault(isLow ? 'too-small' : 'too-large', String(limit));
};

/**
 * A schema's finding, in our words. It repeats nothing that was sent: someone may have put a secret where a name
 * belongs.
 */
export const valueFaultOf = (issue: Issue): ValueFault => {
  const own = ownFaultOf(issue.message);
  if (own) return own;
  switch (issue.code) {
    case 'invalid_type':
      return issue.message.endsWith('received undefined')
        ? valueFault('missing')
        : valueFault(expected[issue.expected] ?? 'form');
    case 'too_small':
    case 'too_big':
      return bound(issue);
    case 'invalid_value':
      return valueFault('choice', issue.values.map(String).join(', '));
    case 'invalid_format':
      return valueFault(formats[issue.format] ?? 'form');
    case 'unrecognized_keys':
      return valueFault('unknown');
    default:
      return valueFault('form');
  }
};
