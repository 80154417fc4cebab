import type { Language } from '#contracts/language.ts';
import { portalFormat } from '../../language/portal-format.ts';
import { eventWords } from './event.words.ts';

type Data = Readonly<Record<string, unknown>>;

/** A Date in JSON. */
const isoMoment = /^\+?\d{4,6}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const nothing = '–';

const isData = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The content of an event, in a line: `status active → suspended, reason Unpaid.` */
export const detailsOf = (data: Data, language: Language): string => {
  const fields: Readonly<Record<string, string>> = eventWords[language].fields;
  const order = Object.keys(fields);
  const { from, to, ...rest } = data;
  // A license before and after a change; a transfer uses the same fields for two machines.
  const isChange = isData(from) && isData(to);
  const changes = isChange ? changesOf(from, to, language) : [];
  const told = Object.entries(isChange ? rest : data)
    .filter(([, value]) => value !== null && value !== '')
    .toSorted(([one], [other]) => order.indexOf(one) - order.indexOf(other))
    .map(([name, value]) => `${fields[name] ?? name} ${shortened(value, language)}`);
  return [...changes, ...told].join(', ');
};

const changesOf = (from: Data, to: Data, language: Language): readonly string[] => {
  const fields: Readonly<Record<string, string>> = eventWords[language].fields;
  return Object.entries(to)
    .filter(([name, value]) => from[name] !== value)
    .map(
      ([name, value]) =>
        `${fields[name] ?? name} ${shortened(from[name] ?? nothing, language)} → ${shortened(value ?? nothing, language)}`,
    );
};

const shortened = (value: unknown, language: Language): string => {
  const values: Readonly<Record<string, string>> = eventWords[language].values;
  if (typeof value === 'string' && /^sha256:[0-9a-f]{64}$/.test(value)) return `${value.slice(0, 15)}…`;
  if (typeof value === 'string' && isoMoment.test(value)) return portalFormat[language].moment(value);
  if (typeof value === 'string') return Object.hasOwn(values, value) ? (values[value] ?? value) : value;
  if (Array.isArray(value)) return value.map((part) => shortened(part, language)).join(' ');
  return isData(value) ? `(${detailsOf(value, language)})` : String(value);
};
