import { Group, ScrollArea, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import type { LogTailLine } from '#contracts/desktop/desktop-diagnostics.ts';
import { type LogComponent, logComponents } from '#contracts/operations/component-logs.ts';
import { callDesktop } from '../../../kit/api/desktop-bridge.ts';
import { useWords } from '../../../kit/language/use-words.ts';
import { FilterBox } from '../../../kit/lists/filter-box.tsx';
import { Moment } from '../../../kit/records/moment.tsx';
import { ActionFailed } from '../../action-failed.tsx';
import { diagnosticsWords } from './diagnostics.words.ts';
import classes from './last-lines.module.css';

const lookAgainMs = 3000;
const longestText = 200;
/** A reader within this distance from the end, in pixels, follows it. */
const nearEnd = 8;
const levels = ['warn', 'error'] as const;
type Level = (typeof levels)[number];

/** The end of a log file, read by the desktop itself: also while the API, whose own page shows the whole log, is away. */
export const LastLines = ({ component }: { readonly component: LogComponent }) => {
  const words = useWords(diagnosticsWords);
  const [log, setLog] = useState(component);
  const [level, setLevel] = useState<Level | null>(null);
  const [text, setText] = useState('');
  const [wanted] = useDebouncedValue(text.trim(), 200);
  const [lines, setLines] = useState<readonly LogTailLine[] | null>(null);
  const [error, setError] = useState<unknown>(null);
  // The failed component's log is what people want to see, so it replaces one that was selected by hand.
  useEffect(() => setLog(component), [component]);
  useEffect(() => {
    let isOver = false;
    const look = async () => {
      try {
        const filter = { ...(level && { level }), ...(wanted && { text: wanted }) };
        const { lines: found } = await callDesktop('logs.tail', { component: log, ...filter });
        if (isOver) return;
        setLines(found);
        setError(null);
      } catch (failure) {
        if (!isOver) setError(failure);
      }
    };
    void look();
    const timer = setInterval(look, lookAgainMs);
    return () => {
      isOver = true;
      clearInterval(timer);
    };
  }, [log, level, wanted]);

  return (
    <Stack gap="xs">
      <Group gap="xs">
        <FilterBox
          label={words.log}
          options={logComponents.map((value) => ({ value, label: words.logs[value] }))}
          value={log}
          onChange={(next) => setLog(logComponents.find((name) => name === next) ?? log)}
          isRequired
        />
        <FilterBox
          label={words.level}
          options={levels.map((value) => ({ value, label: words.levels[value] }))}
          value={level}
          onChange={(next) => setLevel(levels.find((name) => name === next) ?? null)}
        />
        <TextInput
          aria-label={words.text}
          placeholder={words.text}
          leftSection={<IconSearch size={16} aria-hidden />}
          maxLength={longestText}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value.replace(/\p{Cc}/gu, ' '))}
        />
      </Group>
      {error !== null && <ActionFailed error={error} />}
      {lines && error === null && <Lines lines={lines} label={`${words.lines}: ${words.logs[log]}`} />}
    </Stack>
  );
};

const Lines = ({ lines, label }: { readonly lines: readonly LogTailLine[]; readonly label: string }) => {
  const words = useWords(diagnosticsWords);
  const box = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: new lines push the end further down
  useEffect(() => {
    if (isAtEnd.current) box.current?.scrollTo({ top: box.current.scrollHeight });
  }, [lines]);
  if (lines.length === 0) return <Text c="dimmed">{words.noLines}</Text>;
  return (
    <ScrollArea.Autosize
      mah="16rem"
      type="auto"
      className={classes.lines}
      viewportRef={box}
      viewportProps={{ tabIndex: 0, role: 'group', 'aria-label': label }}
      onScrollPositionChange={() => {
        const { scrollTop = 0, scrollHeight = 0, clientHeight = 0 } = box.current ?? {};
        isAtEnd.current = scrollTop + clientHeight >= scrollHeight - nearEnd;
      }}
    >
      {lines.map(({ at, level, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have nothing else that tells them apart, and keep nothing
        <p key={index} data-level={level ?? 'info'} lang="en">
          {at && (
            <span className={classes.at}>
              <Moment at={at} isShort />{' '}
            </span>
          )}
          <bdi>{text}</bdi>
        </p>
      ))}
    </ScrollArea.Autosize>
  );
};
