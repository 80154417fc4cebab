import { Moment, Table } from '../../pages/display.tsx';
import { useReader, useWords } from '../../pages/reader.ts';
import type { LicenseEventView, VendorEventView } from '../event-log.ts';
import { adminWords } from './admin.words.ts';
import { eventWords } from './event.words.ts';
import { detailsOf } from './event-words.ts';
import { licensePath } from './license-list.routes.tsx';

interface EventTableProps {
  readonly events: readonly LicenseEventView[];
  /** For one license, which need not be named in each row. */
  readonly ofLicense?: boolean;
}

const Details = ({ data }: { data: Readonly<Record<string, unknown>> }) => (
  <bdi className="small">{detailsOf(data, useReader().language)}</bdi>
);

export const EventTable = ({ events, ofLicense = false }: EventTableProps) => {
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
