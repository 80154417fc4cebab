import { Group } from '@mantine/core';
import { CopyButton } from '../design/copy-button.tsx';
import { useWords } from '../language/use-words.ts';
import classes from './raw-record.module.css';
import { recordsWords } from './records.words.ts';
import { Value } from './value.tsx';

/** The complete stored record in raw form, for readers who want to see it. */
export const RawRecord = ({ record }: { readonly record: unknown }) => {
  const words = useWords(recordsWords);
  return (
    <details className={classes.raw}>
      <summary>{words.raw}</summary>
      <Group justify="flex-end">
        <CopyButton value={JSON.stringify(record, null, 2)} label={words.copyRaw} />
      </Group>
      <Value value={record} />
    </details>
  );
};
