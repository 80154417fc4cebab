import { Group, Text, Title } from '@mantine/core';
import { referencesIn } from '#contracts/kernel/audit-references.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { type Fact, Facts } from '../../kit/design/facts.tsx';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { Moment } from '../../kit/records/moment.tsx';
import { RawRecord } from '../../kit/records/raw-record.tsx';
import { RecordDrawer } from '../../kit/records/record-drawer.tsx';
import { auditWords } from './audit.words.ts';
import { type NamedAuditRow, nameIn } from './named-audit-row.ts';
import { pageOfReference, type Reference, referenceIn } from './reference.ts';
import type { ToldChange } from './tell-change.ts';
import classes from './told-changes.module.css';
import type { AuditTelling } from './use-audit-telling.ts';

/** The changes field by field: from one value to another. */
const ToldChanges = ({
  label,
  changes,
}: {
  readonly label: string;
  readonly changes: readonly ToldChange[];
}) => (
  <ul className={classes.changes} aria-label={label}>
    {changes.map((change) => (
      <li key={change.label}>
        {change.label !== '' && (
          <span className={classes.label}>
            <bdi>{change.label}</bdi>
            {': '}
          </span>
        )}
        <Told change={change} />
      </li>
    ))}
  </ul>
);

const Told = ({ change }: { readonly change: ToldChange }) => {
  const words = useWords(auditWords);
  switch (change.kind) {
    case 'masked':
      return <em className={classes.masked}>{change.says}</em>;
    case 'changed':
      return (
        <>
          <del className={classes.before}>
            <bdi>{change.before}</bdi>
          </del>
          {' → '}
          <ins className={classes.after}>
            <bdi>{change.after}</bdi>
          </ins>
        </>
      );
    case 'removed':
      return (
        <del className={classes.before}>
          <bdi>{change.value}</bdi>
        </del>
      );
    case 'list':
      return (
        <>
          {change.isMoved && words.moved}
          {change.added.length > 0 && <Part says={words.added} values={change.added} />}
          {change.removed.length > 0 && <Part says={words.removed} values={change.removed} />}
        </>
      );
    default:
      return <bdi className={classes.value}>{change.value}</bdi>;
  }
};

const Part = ({ says, values }: { readonly says: string; readonly values: readonly string[] }) => (
  <span className={classes.part}>
    {says}
    {values.map((value, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a list may hold the same thing twice
      <bdi key={index} className={classes.item}>
        {value}
      </bdi>
    ))}
  </span>
);

/** The servers that a row concerns besides its target. */
const serversOf = ({ target, before, after, names }: NamedAuditRow): readonly string[] => [
  ...new Set(
    [...referencesIn(before), ...referencesIn(after)].filter(
      (reference) =>
        reference.startsWith('server:') && reference !== target && nameIn(names, reference) !== null,
    ),
  ),
];

/** All details of an action: who did it, on what, and what it changed. */
export const AuditDrawer = (props: {
  readonly row: NamedAuditRow;
  readonly telling: AuditTelling;
  readonly onClose: () => void;
}) => {
  const { row, telling, onClose } = props;
  const words = useWords(auditWords);
  const can = useCan();
  const { actor, target, names, ...kept } = row;
  const actorReference = actor.id === '' ? actor.kind : `${actor.kind}:${actor.id}`;
  const linked = (reference: Reference, name: string) => {
    const page = pageOfReference(reference);
    const isOpen =
      page && (reference.kind === 'server' ? can(page.permission, reference.id) : can(page.permission));
    return isOpen ? (
      <PanelLink to={page.address}>
        <bdi>{name}</bdi>
      </PanelLink>
    ) : (
      <bdi>{name}</bdi>
    );
  };
  const everything = (name: 'actor' | 'target', reference: string, says: string) => (
    <PanelLink to={`/audit?${name}=${encodeURIComponent(reference)}`} size="sm">
      {says}
    </PanelLink>
  );
  const servers = serversOf(row);
  const facts: Fact[] = [
    {
      label: words.when,
      value: (
        <>
          <Moment at={row.at} /> (<TimeAgo at={row.at} />)
        </>
      ),
    },
    {
      label: words.who,
      value: (
        <Group gap="sm">
          {linked(actor, telling.actor(row))}
          {everything('actor', actorReference, words.alsoByThem)}
        </Group>
      ),
    },
  ];
  if (target !== null && telling.target(row) !== '')
    facts.push({
      label: words.on,
      value: (
        <Group gap="sm">
          {linked(referenceIn(target), telling.target(row))}
          {everything('target', target, words.alsoOnIt)}
        </Group>
      ),
    });
  if (servers.length > 0)
    facts.push({
      label: words.server,
      value: (
        <Group gap="sm">
          {servers.map((server) => (
            <span key={server}>{linked(referenceIn(server), nameIn(names, server) ?? '')}</span>
          ))}
        </Group>
      ),
    });
  if (row.address !== null) facts.push({ label: words.from, value: <bdi>{row.address}</bdi> });

  const { changed, same } = telling.changes(row);
  const detail = telling.detail(row);
  return (
    <RecordDrawer title={telling.action(row.action)} onClose={onClose}>
      <Facts facts={facts} />
      <Title order={3}>{words.changes}</Title>
      {changed.length > 0 ? (
        <ToldChanges label={words.changes} changes={changed} />
      ) : (
        <Text c="dimmed">{words.noChanges}</Text>
      )}
      {same.length > 0 && (
        <details>
          <summary>
            {words.same} ({same.length})
          </summary>
          <ToldChanges label={words.same} changes={same} />
        </details>
      )}
      {detail.length > 0 && (
        <>
          <Title order={3}>{words.more}</Title>
          <ToldChanges label={words.more} changes={detail} />
        </>
      )}
      <RawRecord record={{ ...kept, actor, target }} />
    </RecordDrawer>
  );
};
