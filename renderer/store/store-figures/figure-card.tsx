import { Button, Group, Text } from '@mantine/core';
import { IconDownload, IconTable } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { addressOf } from '#contracts/kernel/call-input.ts';
import type { Endpoint } from '#contracts/kernel/http.ts';
import { AsyncContent, type Readable } from '../../kit/design/async-content.tsx';
import { Card } from '../../kit/design/card.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import classes from './store-figures.module.css';
import { storeFiguresWords } from './store-figures.words.ts';

export interface FigureCardProps<Data> {
  readonly title: string;
  readonly read: Readable<Data>;
  readonly csv: Endpoint;
  readonly query: Readonly<Record<string, unknown>>;
  /** A choice within the card, or a line about it. */
  readonly head?: ReactNode;
  /** Without a chart, only the table is shown. */
  readonly chart?: (data: Data) => ReactNode;
  readonly table: (data: Data) => ReactNode;
  /** Nothing follows below: it need not keep its height. */
  readonly isLast?: boolean;
  /** Null if there is something to show. */
  readonly empty: (data: Data) => ReactNode | null;
}

/** A figure as a chart or a table, with its export. */
export const FigureCard = <Data,>(props: FigureCardProps<Data>) => {
  const { title, read, csv, query, head, chart, table, isLast = false, empty } = props;
  const words = useWords(storeFiguresWords);
  const [isTable, setTable] = useState(false);
  const shown = chart === undefined || isTable ? table : chart;
  return (
    <Card
      title={title}
      actions={
        <Group gap="xs">
          {chart && (
            <Button
              variant={isTable ? 'light' : 'default'}
              size="xs"
              leftSection={<IconTable size={16} aria-hidden />}
              aria-pressed={isTable}
              aria-label={words.tableOf(title)}
              onClick={() => setTable(!isTable)}
            >
              {words.asTable}
            </Button>
          )}
          <Button
            component="a"
            href={addressOf(csv.path, undefined, query)}
            download={csv.download}
            variant="default"
            size="xs"
            leftSection={<IconDownload size={16} aria-hidden />}
            aria-label={words.csvOf(title)}
          >
            {words.csv}
          </Button>
        </Group>
      }
    >
      {head}
      <div
        className={classes.area}
        {...(shown === table && { 'data-table': true })}
        {...(isLast && { 'data-last': true })}
      >
        <AsyncContent read={read}>
          {(data) => {
            const nothing = empty(data);
            return nothing === null ? (
              shown(data)
            ) : (
              <Text component="div" c="dimmed" className={classes.nothing}>
                {nothing}
              </Text>
            );
          }}
        </AsyncContent>
      </div>
    </Card>
  );
};
