import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './empty-state.module.css';
import { type GhostColumn, GhostList } from './ghost-list.tsx';

const exampleRows = { columns: 3, items: 2 } as const;
const itemColumns: readonly GhostColumn[] = ['name', 'fact', 'state'].map((id) => ({ id, header: '' }));

/** The empty state: what the place is for, the first step, and what it will look like. */
export const EmptyState = ({
  title,
  text,
  action,
  example,
}: {
  /** Absent if the empty section has a heading. */
  readonly title?: string;
  /** What this is for, or why it is empty. */
  readonly text?: ReactNode;
  /** The first step: one button, if the person has the permission. */
  readonly action?: ReactNode;
  /** A sketch of the rows to come: by the names of their columns, or as items of two lines. `DataList` draws its own. */
  readonly example?: readonly string[] | 'items';
}) => (
  <Stack gap="lg" py={title === undefined ? 0 : 'xl'}>
    <Stack align="center" gap="xs" ta="center">
      {title !== undefined && <Title order={2}>{title}</Title>}
      {text !== undefined && (
        <Text c="dimmed" maw="36rem" component="div">
          {text}
        </Text>
      )}
      {action}
    </Stack>
    {example === 'items' && <ExampleList columns={itemColumns} isNarrow />}
    {example && example !== 'items' && (
      <ExampleList columns={example.map((header) => ({ id: header, header }))} isNarrow={false} />
    )}
  </Stack>
);

/** A faint sketch of what a list will look like. */
export const ExampleList = ({
  columns,
  isNarrow,
}: {
  readonly columns: readonly GhostColumn[];
  readonly isNarrow: boolean;
}) => (
  <div className={classes.example}>
    <GhostList
      kind="example"
      columns={columns}
      rows={isNarrow ? exampleRows.items : exampleRows.columns}
      isNarrow={isNarrow}
    />
  </div>
);
