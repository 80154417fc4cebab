import { Group, Text, Title } from '@mantine/core';
import type { AuditRow } from '#contracts/audit.ts';
import { CopyButton } from '../../design/copy-button.tsx';
import { type Fact, Facts } from '../../design/facts.tsx';
import { PanelLink } from '../../design/panel-link.tsx';
import { TimeAgo } from '../../design/time-ago.tsx';
import { useWords } from '../../language/use-words.ts';
import { Moment } from '../../records/moment.tsx';
import { RecordDrawer } from '../../records/record-drawer.tsx';
import { Value } from '../../records/value.tsx';
import { auditWords } from './audit.words.ts';
import { differenceOf } from './difference.ts';
import { DifferenceTable } from './difference-table.tsx';
import { addressOfReference, type Reference, referenceIn } from './reference.ts';
import { secretFieldsOf } from './secret-fields.ts';
import type { AuditNames } from './use-audit-names.ts';

export interface AuditDrawerProps {
  readonly row: AuditRow;
  readonly names: AuditNames;
  readonly onClose: () => void;
}

/** All of an action: who did it, on what, and what it changed, field by field. */
export const AuditDrawer = ({ row, names, onClose }: AuditDrawerProps) => {
  const words = useWords(auditWords);
  const { actor, target } = row;
  const actorReference = actor.id === '' ? actor.kind : `${actor.kind}:${actor.id}`;
  const linked = (reference: Reference, name: string) => {
    const address = addressOfReference(reference);
    return address ? (
      <PanelLink to={address}>
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
          {linked(actor, names.actor(row))}
          {everything('actor', actorReference, words.alsoByThem)}
        </Group>
      ),
    },
    { label: words.action, value: <bdi>{row.action}</bdi> },
  ];
  if (target !== null)
    facts.push({
      label: words.on,
      value: (
        <Group gap="sm">
          {linked(referenceIn(target), names.target(row))}
          {everything('target', target, words.alsoOnIt)}
        </Group>
      ),
    });
  if (row.address !== null) facts.push({ label: words.from, value: <bdi>{row.address}</bdi> });

  const differences = differenceOf(row.before, row.after, { secretFields: secretFieldsOf(target) });
  const changed = differences.filter(({ kind }) => kind !== 'same');
  const same = differences.filter(({ kind }) => kind === 'same');
  const detail = Object.entries(row.detail);
  return (
    <RecordDrawer title={names.action(row.action)} onClose={onClose}>
      <Facts facts={facts} />
      <Group justify="space-between">
        <Title order={3}>{words.changes}</Title>
        <CopyButton value={JSON.stringify(row, null, 2)} label={words.copy} />
      </Group>
      {changed.length > 0 ? (
        <DifferenceTable label={words.changes} changes={changed} />
      ) : (
        <Text c="dimmed">{words.noChanges}</Text>
      )}
      {same.length > 0 && (
        <details>
          <summary>
            {words.same} ({same.length})
          </summary>
          <DifferenceTable label={words.same} changes={same} />
        </details>
      )}
      {detail.length > 0 && (
        <>
          <Title order={3}>{words.more}</Title>
          <Facts
            facts={detail.map(([name, value]) => ({
              label: <bdi>{name}</bdi>,
              value: <Value value={value} />,
            }))}
          />
        </>
      )}
    </RecordDrawer>
  );
};
