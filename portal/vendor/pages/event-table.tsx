import { Moment, Table } from '../../pages/display.tsx';
import type { LicenseEventView, VendorEventView } from '../event-log.ts';
import { detailsOf, whoDid, wordsOfEvent, wordsOfVendorEvent } from './event-words.ts';
import { licensePath } from './license-list.routes.tsx';

interface EventTableProps {
  readonly events: readonly LicenseEventView[];
  /** Of one license, which need not be named in each row. */
  readonly ofLicense?: boolean;
}

export const EventTable = ({ events, ofLicense = false }: EventTableProps) => (
  <Table
    caption="Events of licenses, the newest first"
    hideCaption
    head={ofLicense ? ['When', 'What', 'Who', 'Details'] : ['When', 'License', 'What', 'Who', 'Details']}
    empty="Nothing has happened yet."
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
          wordsOfEvent(event),
          whoDid(event),
          <span key="details" className="small">
            {detailsOf(event.data)}
          </span>,
        ],
      };
    })}
  />
);

export const VendorEventTable = ({ events }: { events: readonly VendorEventView[] }) => (
  <Table
    caption="What was done by the vendor, the newest first"
    hideCaption
    head={['When', 'What', 'To', 'Who', 'Details']}
    empty="Nothing has happened yet."
    rows={events.map((event) => ({
      key: event.id,
      cells: [
        <Moment key="at" at={event.at} />,
        wordsOfVendorEvent(event),
        event.subject ?? '–',
        event.actorName,
        <span key="details" className="small">
          {detailsOf(event.data)}
        </span>,
      ],
    }))}
  />
);
