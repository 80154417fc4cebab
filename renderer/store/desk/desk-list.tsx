import { Alert, Button, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import * as z from 'zod';
import { recordId } from '#contracts/servers/clusters.ts';
import {
  type DeliveryDetails,
  type DeskDecisionName,
  deliveriesHttp,
  deskDecisions,
} from '#contracts/store/deliveries.ts';
import { deskReasons } from '#contracts/store/desk-reasons.ts';
import { entitlementsHttp } from '#contracts/store/entitlements.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { usePagedRead, useRead } from '../../kit/api/queries.ts';
import { EmptyState } from '../../kit/design/empty-state.tsx';
import { Page as Frame } from '../../kit/design/page.tsx';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { StateLabel } from '../../kit/design/state-label.tsx';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { PagedList } from '../../kit/lists/data-list.tsx';
import type { BulkAction, ListColumn } from '../../kit/lists/list-props.ts';
import { hrefOf } from '../../kit/routing/hash-location.ts';
import { useSearchState } from '../../kit/routing/use-search-state.ts';
import { useServerNames } from '../../servers/use-server-names.ts';
import { DecideDialog } from '../store-parts/decide-dialog.tsx';
import { fitsDecision } from '../store-parts/desk-decisions.ts';
import { deskDecisionsWords } from '../store-parts/desk-decisions.words.ts';
import { useDeliveryColumns } from '../store-parts/use-delivery-columns.tsx';
import { storePartsWords } from '../store-parts.words.ts';
import { useLiveDeliveries } from '../use-live-deliveries.ts';
import { deskWords } from './desk.words.ts';
import { EvidenceDrawer } from './evidence-drawer.tsx';

const mostEndsShown = 20;

/** Timed purchases whose removal is uncertain, which is decided on the member's page, and those that should have ended by now. */
const OpenEnds = () => (
  <>
    <EndsAlert state="unknown" />
    <EndsAlert state="overdue" />
  </>
);

const EndsAlert = ({ state }: { readonly state: 'unknown' | 'overdue' }) => {
  const words = useWords(deskWords);
  const everyMs = useLiveDeliveries();
  const read = useRead(entitlementsHttp.list, { query: { state, limit: mostEndsShown } }, { everyMs });
  const rows = read.data?.rows ?? [];
  if (rows.length === 0) return null;
  return (
    <Alert
      color="var(--tone-warn)"
      variant="outline"
      icon={<IconAlertTriangle aria-hidden />}
      title={words.ends[state].title}
    >
      <Text size="sm">{words.ends[state].text}</Text>
      <ul>
        {rows.map(({ id, key, memberId, memberName }) => (
          <li key={id}>
            <bdi>{key}</bdi>
            {' · '}
            <PanelLink to={`/members/${memberId}`}>
              <bdi>{memberName}</bdi>
            </PanelLink>
          </li>
        ))}
        {read.data?.nextCursor && <li>{words.endsMore}</li>}
      </ul>
    </Alert>
  );
};

const rowId = ({ id }: DeliveryDetails) => id;
const knownReason = z.enum(deskReasons).optional().catch(undefined);

interface Deciding {
  readonly decision: DeskDecisionName;
  readonly deliveries: readonly DeliveryDetails[];
  readonly onDone?: () => void;
}

export const DeskList = () => {
  const words = useWords(deskWords);
  const parts = useWords(storePartsWords);
  const can = useCan();
  const { values } = useSearchState();
  const { servers, nameOf } = useServerNames();
  const [openId, setOpenId] = useState<string | null>(null);
  const [deciding, setDeciding] = useState<Deciding | null>(null);
  const acts = useBulkActs(setDeciding);
  const columns = useColumns(nameOf);

  const reason = knownReason.parse(values.reason);
  const serverId = recordId.safeParse(values.server).data;
  const everyMs = useLiveDeliveries();
  const paged = usePagedRead(
    deliveriesHttp.desk,
    { query: { ...(reason && { reason }), ...(serverId !== undefined && { serverId }) } },
    { everyMs },
  );
  const isListed = serverId === undefined || servers.some(({ id }) => id === serverId);
  const offered = [...servers.map(({ id }) => id), ...(isListed ? [] : [serverId])];
  const filters = [
    {
      id: 'reason',
      label: words.why,
      options: deskReasons.map((value) => ({ value, label: parts.deskReasons[value] })),
    },
    { id: 'server', label: words.server, options: offered.map((id) => ({ value: id, label: nameOf(id) })) },
  ];
  const open = paged.rows.find(({ id }) => id === openId);
  return (
    <Frame
      title={words.title}
      description={words.description}
      actions={
        <Button component="a" variant="default" href={hrefOf('/desk/rules')}>
          {words.rules}
        </Button>
      }
    >
      <OpenEnds />
      <PagedList
        paged={paged}
        name="desk"
        label={words.title}
        rowId={rowId}
        columns={columns}
        filters={filters}
        onOpen={({ id }) => setOpenId(id)}
        {...(can('orders.write') && { bulk: acts })}
        empty={
          <EmptyState
            title={words.empty}
            text={words.emptyText}
            action={<PanelLink to="/deliveries">{words.toDeliveries}</PanelLink>}
          />
        }
      />
      {open && (
        <EvidenceDrawer
          delivery={open}
          onDecide={(decision) => {
            setDeciding({ decision, deliveries: [open] });
            setOpenId(null);
          }}
          onClose={() => setOpenId(null)}
        />
      )}
      {deciding && <DecideDialog {...deciding} onClose={() => setDeciding(null)} />}
    </Frame>
  );
};

const useBulkActs = (onDecide: (deciding: Deciding) => void): readonly BulkAction<DeliveryDetails>[] => {
  const words = useWords(deskDecisionsWords);
  return deskDecisions.map((decision) => ({
    label: words.acts[decision],
    isFor: (delivery) => fitsDecision(decision, delivery),
    opens: (deliveries, onDone) => onDecide({ decision, deliveries, onDone }),
    nameOf: ({ productName, memberName }) => words.nameOf(productName, memberName),
  }));
};

const useColumns = (nameOf: (serverId: string) => string): readonly ListColumn<DeliveryDetails>[] => {
  const words = useWords(deskWords);
  const parts = useWords(storePartsWords);
  const format = useFormat();
  const { product, member, server } = useDeliveryColumns(nameOf);
  return useMemo(
    () => [
      product,
      {
        id: 'why',
        header: words.why,
        cell: ({ deskReason }) =>
          deskReason && <StateLabel tone="warn">{parts.deskReasons[deskReason]}</StateLabel>,
        text: ({ deskReason }) => (deskReason ? parts.deskReasons[deskReason] : ''),
        width: 'minmax(17rem, 2fr)',
      },
      member,
      server,
      {
        id: 'points',
        header: words.points,
        cell: ({ points }) => format.number(points),
        text: ({ points }) => String(points),
        width: '4.5rem',
        align: 'end',
        isMinor: true,
      },
      {
        id: 'since',
        header: words.since,
        cell: ({ deskAt }) => deskAt && <TimeAgo at={deskAt} />,
        text: ({ deskAt }) => deskAt ?? '',
        width: '9rem',
      },
    ],
    [words, parts, format, product, member, server],
  );
};
