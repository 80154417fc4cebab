import type { Language } from '#contracts/kernel/language.ts';
import { portalFormat } from '../../language/portal-format.ts';
import { Moment, Table } from '../../pages/display.tsx';
import { useReader, useWords } from '../../pages/reader.ts';
import type { LicenseEventView, VendorEventView } from '../event-log.ts';
import { adminWords } from './admin.words.ts';
import { eventWords } from './event.words.ts';
import { licensePath } from './license-list.routes.tsx';

type Data = Readonly<Record<string, unknown>>;

/** A Date in JSON. */
const isoMoment = /^\+?\d{4,6}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const noValue = '–';

const isData = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The content of an event, in a line: `status active → suspended, reason Unpaid.` */
const detailsOf = (data: Data, language: Language): string => {
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
        `${fields[name] ?? name} ${shortened(from[name] ?? noValue, language)} → ${shortened(value ?? noValue, language)}`,
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

const Details = ({ data }: { data: Readonly<Record<string, unknown>> }) => (
  <bdi className="small">{detailsOf(data, useReader().language)}</bdi>
);

export const EventTable = ({
  events,
  ofLicense = false,
}: {
  readonly events: readonly LicenseEventView[];
  /** For one license, which need not be named in each row. */
  readonly ofLicense?: boolean;
}) => {
  const { head, kinds, actors, empty, licenseCaption } = useWords(eventWords);
  const { when, license: licenseHead, what, who, details } = head;
  return (
    <Table
      caption={licenseCaption}
      hideCaption
      head={ofLicense ? [when, what, who, details] : [when, licenseHead, what, who, details]}
      empty={empty}
      rows={events.map((event) => {
        const license = (
          <a key="license" href={licensePath(event.licenseId)} className="mono unbroken">
            {event.licenseId.slice(0, 9)}…
          </a>
        );
        return {
          key: event.id,
          cells: [
            <Moment key="at" at={event.at} />,
            ...(ofLicense ? [] : [license]),
            kinds[event.kind],
            <bdi key="who">{event.actorName ?? actors[event.actor]}</bdi>,
            <Details key="details" data={event.data} />,
          ],
        };
      })}
    />
  );
};

export const VendorEventTable = ({ events }: { events: readonly VendorEventView[] }) => {
  const { head, vendorKinds, empty, vendorCaption } = useWords(eventWords);
  const { none } = useWords(adminWords);
  return (
    <Table
      caption={vendorCaption}
      hideCaption
      head={[head.when, head.what, head.subject, head.who, head.details]}
      empty={empty}
      rows={events.map((event) => ({
        key: event.id,
        cells: [
          <Moment key="at" at={event.at} />,
          vendorKinds[event.kind],
          <bdi key="subject">{event.subject ?? none}</bdi>,
          <bdi key="who">{event.actorName}</bdi>,
          <Details key="details" data={event.data} />,
        ],
      }))}
    />
  );
};
