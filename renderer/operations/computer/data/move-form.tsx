import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { DataFolderReport } from '#contracts/desktop/desktop-data-folder.ts';
import type { Format } from '#contracts/kernel/format.ts';
import type { Language } from '#contracts/kernel/language.ts';
import { folderFindingWords } from '#contracts/operations/folder-findings.ts';
import { callDesktop } from '../../../kit/api/desktop-bridge.ts';
import { Card } from '../../../kit/design/card.tsx';
import { useFormat } from '../../../kit/language/use-format.ts';
import { useWords } from '../../../kit/language/use-words.ts';
import { ActionFailed } from '../../action-failed.tsx';
import { useDesktopAction } from '../../use-desktop-action.ts';
import { FindingDetail, FolderWarningText } from '../desktop-actions/folder-finding.tsx';
import { dataWords } from './data.words.ts';

/** Null if there is no objection. */
const faultOf = (
  report: DataFolderReport,
  words: (typeof dataWords)[Language],
  findings: (typeof folderFindingWords)[Language],
  format: Format,
) => {
  if (report.outcome === 'fine') return null;
  if (report.outcome === 'full')
    return words.full(format.bytes(report.neededBytes), format.bytes(report.freeBytes));
  return { ...findings, ...words.wrong }[report.outcome];
};

/** Chooses a folder, has it checked, and starts the move. */
export const MoveForm = () => {
  const words = useWords(dataWords);
  const findings = useWords(folderFindingWords);
  const format = useFormat();
  const act = useDesktopAction();
  const [folder, setFolder] = useState('');
  const [report, setReport] = useState<DataFolderReport | null>(null);
  const name = (chosen: string) => {
    setReport(null);
    setFolder(chosen);
  };
  const choose = () =>
    act.run(async () => {
      const { folder: chosen } = await callDesktop('dataFolder.choose', undefined);
      if (chosen !== null) name(chosen);
    });
  const isFine = report?.outcome === 'fine';
  const goOn = () =>
    act.run(async () => {
      const asked = { folder: folder.trim() };
      setReport(await callDesktop(isFine ? 'dataFolder.move' : 'dataFolder.check', asked));
    });
  const fault = report && faultOf(report, words, findings, format);
  return (
    <Card title={words.move}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (folder.trim() !== '') void goOn();
        }}
      >
        <Stack gap="sm">
          <Text>{words.moveText}</Text>
          <TextInput
            label={words.label}
            value={folder}
            onChange={({ currentTarget }) => name(currentTarget.value)}
            error={fault}
            readOnly={act.isActing}
            spellCheck={false}
            autoComplete="off"
            maxLength={1000}
            required
          />
          {report && 'detail' in report && <FindingDetail finding={report} />}
          <div role="status">
            {report?.outcome === 'fine' &&
              report.warnings.map((warning) => <FolderWarningText key={warning.code} warning={warning} />)}
            {report?.outcome === 'fine' &&
              words.fine(
                format.bytes(report.bytes),
                format.number(report.files),
                format.bytes(report.freeBytes),
              )}
          </div>
          {act.error !== null && <ActionFailed error={act.error} />}
          <Group gap="xs">
            <Button variant="default" onClick={choose} disabled={act.isActing}>
              {words.choose}
            </Button>
            <Button type="submit" variant={isFine ? 'filled' : 'default'} loading={act.isActing}>
              {isFine ? words.begin : words.check}
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  );
};
