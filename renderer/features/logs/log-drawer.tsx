import { Group, Title } from '@mantine/core';
import type { ComponentLogRow } from '#contracts/component-logs.ts';
import { CopyButton } from '../../design/copy-button.tsx';
import { Facts } from '../../design/facts.tsx';
import { useWords } from '../../language/use-words.ts';
import { Moment } from '../../records/moment.tsx';
import { RecordDrawer } from '../../records/record-drawer.tsx';
import { Value } from '../../records/value.tsx';
import { logsWords } from './logs.words.ts';

export interface LogDrawerProps {
  readonly row: ComponentLogRow;
  readonly onClose: () => void;
}

export const LogDrawer = ({ row, onClose }: LogDrawerProps) => {
  const words = useWords(logsWords);
  const { at, level, component, message, fields, raw } = row;
  const others = Object.entries(fields);
  return (
    <RecordDrawer title={words.components[component]} onClose={onClose}>
      <Facts
        facts={[
          { label: words.when, value: <Moment at={at} /> },
          { label: words.level, value: level ? words.levels[level] : '–' },
        ]}
      />
      <Group justify="space-between">
        <Title order={3}>{words.message}</Title>
        <CopyButton value={raw ?? JSON.stringify({ at, level, message, ...fields })} label={words.copy} />
      </Group>
      <Value value={message} />
      {others.length > 0 && (
        <>
          <Title order={3}>{words.fields}</Title>
          <Facts
            facts={others.map(([name, value]) => ({
              label: <bdi>{name}</bdi>,
              value: <Value value={value} />,
            }))}
          />
        </>
      )}
      {raw !== undefined && (
        <>
          <Title order={3}>{words.raw}</Title>
          <Value value={raw} />
        </>
      )}
    </RecordDrawer>
  );
};
