import { Button, FileButton, List, ScrollArea, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import {
  type CatalogueImport,
  catalogueTransferHttp,
  mostImportBytes,
} from '#contracts/store/catalogue-transfer.ts';
import { storeHttp } from '#contracts/store/store-http.ts';
import { callOnce } from '../../kit/api/call.ts';
import { readKey } from '../../kit/api/queries.ts';
import { sendChange } from '../../kit/api/send-change.ts';
import { FormDialog } from '../../kit/design/form-dialog.tsx';
import { notifyDone } from '../../kit/design/notify.ts';
import { Said } from '../../kit/language/said.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { catalogueWords } from './catalogue.words.ts';

interface Chosen {
  readonly file: File;
  /** Null while it is being checked. */
  readonly report: CatalogueImport | null;
}

/** Takes a file, shows what it would change, and imports it. */
export const ImportDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const words = useWords(catalogueWords);
  const client = useQueryClient();
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [isTooLarge, setTooLarge] = useState(false);
  const [isActing, setActing] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const resetFile = useRef<() => void>(null);
  const newest = useRef<File>(null);

  const send = (file: File, dryRun: boolean) =>
    (dryRun ? callOnce : sendChange)(
      catalogueTransferHttp.import,
      { query: { dryRun: String(dryRun) } },
      { bytes: file },
    );
  const check = async (file: File | null) => {
    resetFile.current?.();
    if (!file) return;
    newest.current = file;
    setError(null);
    setTooLarge(file.size > mostImportBytes);
    setChosen(null);
    if (file.size > mostImportBytes) return;
    setChosen({ file, report: null });
    try {
      const report = await send(file, true);
      if (newest.current === file) setChosen({ file, report });
    } catch (failure) {
      if (newest.current !== file) return;
      setChosen(null);
      setError(failure);
    }
  };
  const run = async () => {
    if (!chosen) return;
    setActing(true);
    setError(null);
    try {
      await send(chosen.file, false);
      for (const read of [storeHttp.products, storeHttp.read, storeHttp.picture])
        void client.invalidateQueries({ queryKey: readKey(read) });
      notifyDone(words.imported);
      onClose();
    } catch (failure) {
      setError(failure);
    } finally {
      setActing(false);
    }
  };
  return (
    <FormDialog
      title={words.import}
      size="lg"
      act={words.doImport}
      isActing={isActing}
      isReady={chosen?.report?.faultsTotal === 0}
      error={error}
      onSubmit={() => void run()}
      onClose={onClose}
      staysWhileActing
    >
      <Text size="sm">{words.importText}</Text>
      <div>
        <FileButton
          accept="application/json,.json"
          resetRef={resetFile}
          onChange={(file) => void check(file)}
          inputProps={{ 'aria-label': words.chooseFile }}
        >
          {(props) => (
            <Button {...props} variant="default" disabled={isActing}>
              {words.chooseFile}
            </Button>
          )}
        </FileButton>
      </div>
      {isTooLarge && <Text role="alert">{words.tooLarge}</Text>}
      {chosen && <Checked {...chosen} />}
    </FormDialog>
  );
};

const Checked = ({ file, report }: Chosen) => {
  const words = useWords(catalogueWords);
  const format = useFormat();
  if (!report)
    return (
      <Text role="status" size="sm">
        {words.checking}
      </Text>
    );
  const { created, changed, unchanged, faults, faultsTotal } = report;
  return (
    <div role="status">
      <Text size="sm" c="dimmed">
        <bdi>{words.chosen(file.name)}</bdi>
      </Text>
      {faultsTotal === 0 ? (
        <Text>{words.wouldDo(format.number(created), format.number(changed), format.number(unchanged))}</Text>
      ) : (
        <>
          <Text fw={600}>{words.faults(faultsTotal)}</Text>
          <Text size="sm">{words.mend}</Text>
          <ScrollArea.Autosize
            mah="16rem"
            type="auto"
            viewportProps={{ tabIndex: 0, role: 'group', 'aria-label': words.faults(faultsTotal) }}
          >
            <List size="sm">
              {faults.map(({ line, path, message, reason }) => (
                <List.Item key={`${line} ${path} ${message}`}>
                  <strong>{words.line(format.number(line))}</strong> {path && <code>{path}</code>}{' '}
                  <Said reason={reason} detail={message} />
                </List.Item>
              ))}
            </List>
          </ScrollArea.Autosize>
          {faultsTotal > faults.length && (
            <Text size="sm">
              {words.faultsMore(format.number(faults.length), format.number(faultsTotal))}
            </Text>
          )}
        </>
      )}
    </div>
  );
};
