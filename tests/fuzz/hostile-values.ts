import { pickFrom } from '../bench/harness/seeded-random.ts';

export type Random = () => number;

/** The limits of Postgres's types and of JavaScript's numbers, with their neighbours. */
const numbers = [
  ...[0, -0, -1, 1, 0.5, 1e-7, 1e21, 1e308, -1e308],
  ...[2 ** 15 - 1, 2 ** 15, -(2 ** 15) - 1],
  ...[2 ** 31 - 2, 2 ** 31 - 1, 2 ** 31, -(2 ** 31), -(2 ** 31) - 1],
  ...[2 ** 32, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER + 1, Number.MIN_SAFE_INTEGER, 2 ** 63],
];

/** What a query says where a number belongs. */
const numberTexts = [
  ...[
    'NaN',
    'Infinity',
    '-Infinity',
    '1e400',
    '0x10',
    '0b1',
    '1_000',
    '+1',
    ' 1',
    '1 ',
    '٣',
    '',
    '-0',
    '1.0',
  ],
  ...['9223372036854775807', '9223372036854775808', '99999999999999999999', '2147483647', '2147483648'],
];

const times = [
  ...[
    '0000-01-01T00:00:00Z',
    '0000-01-01T00:00:00+23:59',
    '0001-01-01T00:00:00Z',
    '9999-12-31T23:59:59.999Z',
  ],
  ...[
    '9999-12-31T23:59:59-23:59',
    '+010000-01-01T00:00:00Z',
    '-000001-01-01T00:00:00Z',
    '2026-02-30T00:00:00Z',
  ],
  ...[
    '2026-01-01T00:00:70Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T23:59:60Z',
    '2026-01-01',
    '1e3',
    'infinity',
    'now',
  ],
  ...['2026-01-01T00:00:00.123456789123Z', '2026-13-01T00:00:00Z', '1969-12-31T23:59:59.999Z', 'epoch'],
];

const texts = [
  ...[
    '\0',
    'a\0b',
    '\ud800',
    'a\udc00',
    '\udc00\ud800',
    'half \ud83d',
    '',
    ' ',
    '\u200b',
    '\u202e',
    '\ufffe',
  ],
  ...['%', '%00', '%ff', '\\', "'", '"', '--', '{{player}}', '$1', '\n', '\r\n', '\x1b[2J', '\x7f'],
  ...[
    'null',
    'undefined',
    'true',
    '__proto__',
    'constructor',
    '../..',
    'a'.repeat(70_000),
    '👩🏽‍🚀'.repeat(100),
  ],
  ...[
    'İ',
    'ß'.repeat(500),
    'ﷺ'.repeat(200),
    '\u0301'.repeat(300),
    '[',
    '(',
    '.*',
    '*',
    '?',
    '{',
    '{}',
    '[]',
    '1=1',
  ],
  ...numberTexts,
  ...times,
];

/** Nested as deeply as a body may be long. */
const deep = (random: Random): unknown => {
  let value: unknown = pickFrom(texts, random);
  const isList = random() < 0.5;
  for (let depth = 0; depth < 1000; depth += 1) value = isList ? [value] : { a: value };
  return value;
};

export const hostileText = (random: Random): string => pickFrom(texts, random);
export const hostileTime = (random: Random): string => pickFrom(times, random);
export const hostileNumber = (random: Random): number => pickFrom(numbers, random);

/** Something of any type. */
export const hostileValue = (random: Random): unknown => {
  const kind = random();
  if (kind < 0.3) return hostileText(random);
  if (kind < 0.55) return hostileNumber(random);
  if (kind < 0.85)
    return pickFrom([null, true, false, [], {}, [null], [[]], [{}], { length: 1 }, { '\0': 1 }], random);
  if (kind < 0.9) return { [hostileText(random)]: hostileText(random) };
  if (kind < 0.95) return Array.from({ length: 1000 }, () => hostileText(random).slice(0, 8));
  return deep(random);
};

/** A text like this one that breaks where texts are stored, cut, matched or counted. */
const twist = (text: string, random: Random): string => {
  const at = Math.floor(random() * (text.length + 1));
  const kind = random();
  if (kind < 0.25) return `${text.slice(0, at)}\0${text.slice(at)}`;
  if (kind < 0.5) return `${text.slice(0, at)}${pickFrom(['\ud83d', '\udc00'], random)}${text.slice(at)}`;
  // A pair of surrogates wherever the text may be cut.
  if (kind < 0.65) return `${text}${'x'.repeat(Math.floor(random() * 60))}${'😀'.repeat(100)}`;
  if (kind < 0.85) return text.replace(/\d+/, () => pickFrom([...numberTexts, '70', '99', '-1'], random));
  return hostileText(random);
};

/** A cursor is a text that is encoded once more. */
const twistCursor = (text: string, random: Random): string => {
  const plain = Buffer.from(text, 'base64url').toString('latin1');
  const parts = plain.split(/(\d+)/);
  const digits = parts.flatMap((part, index) => (/^\d+$/.test(part) ? [index] : []));
  if (digits.length > 0) {
    const index = pickFrom(digits, random);
    const { length } = parts[index] ?? '';
    const same = pickFrom(['0', '9', '7'], random).repeat(length);
    parts[index] = random() < 0.6 ? same : pickFrom(numberTexts, random);
  }
  return Buffer.from(parts.join('')).toString('base64url');
};

/** Cursors of every form that lists hand out, so that a run needs no long lists. */
const cursors = ['o.1772366400000.1', 'n.1772366400000.1', '1772366400000.3.7', '12', '7-9'].concat(
  '2026-01-01T00:00:00.123456Z|00000000-0000-4000-8000-000000000000',
);

export const hostileCursor = (random: Random): string => {
  const cursor = pickFrom(cursors, random);
  const encoded = random() < 0.8 ? Buffer.from(cursor).toString('base64url') : cursor;
  return random() < 0.9 ? twistCursor(encoded, random) : twist(encoded, random);
};

/** Of the same type, mostly, and otherwise of any. */
export const hostileInsteadOf = (value: unknown, random: Random): unknown => {
  if (random() < 0.2) return hostileValue(random);
  if (typeof value === 'number') return hostileNumber(random);
  if (typeof value !== 'string') return hostileValue(random);
  return /^\d{4}-\d\d-\d\dT/.test(value) && random() < 0.7 ? hostileTime(random) : twist(value, random);
};
