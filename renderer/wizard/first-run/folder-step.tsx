import { Button, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { useState } from 'react';
import type { HomeReport } from '#contracts/desktop-first-run.ts';
import { callDesktop } from '../../desktop/desktop-bridge.ts';
import { useWords } from '../../language/use-words.ts';
import { ActionFailed } from '../action-failed.tsx';
import { useDesktopAction } from '../use-desktop-action.ts';
import { firstRunWords } from './first-run.words.ts';
import { lacksPostgres } from './lacks-postgres.ts';
import type { StepProps } from './step-props.ts';

/** Where database, backups, logs and settings will lie. */
export const FolderStep = ({ state, draft, keep }: StepProps) => {
  const words = useWords(firstRunWords);
  const { folder } = words;
  const act = useDesktopAction();
  const [report, setReport] = useState<HomeReport | null>(null);
  const { home } = draft;
  const setHome = (chosen: string) => {
    setReport(null);
    keep({ home: chosen });
  };
  const choose = () =>
    act.run(async () => {
      const { home: chosen } = await callDesktop('firstRun.chooseHome', { from: home });
      if (chosen !== null) setHome(chosen);
    });
  const next = () =>
    act.run(async () => {
      const found = await callDesktop('firstRun.checkHome', { home: home.trim() });
      setReport(found);
      if ('detail' in found) return;
      // What is there already has its ports and its bot.
      const next = !state.hasPortal && draft.portal === null ? 'portal' : 'network';
      keep({ home: home.trim(), step: found.outcome === 'taken-up' ? 'begin' : next });
    });
  const fault = report && 'detail' in report ? folder.wrong[report.outcome] : null;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void next();
      }}
    >
      <Stack>
        <Title order={2}>{folder.title}</Title>
        <Text>{folder.text}</Text>
        <TextInput
          label={folder.label}
          value={home}
          onChange={({ currentTarget }) => setHome(currentTarget.value)}
          error={fault}
          readOnly={act.isActing}
          spellCheck={false}
          autoComplete="off"
          maxLength={1000}
          required
        />
        <Group gap="xs">
          <Button variant="default" onClick={choose} disabled={act.isActing}>
            {folder.choose}
          </Button>
          {home !== state.usualHome && (
            <Button variant="subtle" onClick={() => setHome(state.usualHome)}>
              {folder.usual}
            </Button>
          )}
        </Group>
        {report && 'detail' in report && (
          <Text size="sm" c="dimmed" lang="en">
            <bdi>{report.detail}</bdi>
          </Text>
        )}
        {act.error !== null && <ActionFailed error={act.error} />}
        <Button type="submit" loading={act.isActing} disabled={lacksPostgres(state)}>
          {words.next}
        </Button>
        {!state.hasPortal && (
          <Button variant="subtle" onClick={() => keep({ step: 'portal' })}>
            {words.back}
          </Button>
        )}
      </Stack>
    </form>
  );
};
