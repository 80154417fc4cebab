import { Button, Checkbox, Code, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type FirstRunPortal, type PortalReport, portalKeyPattern } from '#contracts/desktop-first-run.ts';
import { Facts } from '../../design/facts.tsx';
import { callDesktop } from '../../desktop/desktop-bridge.ts';
import { useWords } from '../../language/use-words.ts';
import { ActionFailed } from '../action-failed.tsx';
import { FailureAlert } from '../failure-alert.tsx';
import { useDesktopAction } from '../use-desktop-action.ts';
import classes from '../wizard.module.css';
import { firstRunWords } from './first-run.words.ts';

type Connected = Extract<FirstRunPortal, { kind: 'connected' }>;

export interface PortalFormProps {
  /** From an earlier look at this step. */
  readonly chosen: Connected | null;
  readonly isPrimary: boolean;
  /** Its key is there to be compared, or is not any more. */
  readonly onFound: (isFound: boolean) => void;
  readonly onChosen: (portal: Connected) => void;
}

/** Takes the address of a portal, and shows its key to be compared. Nothing is trusted before a person says so. */
export const PortalForm = ({ chosen, isPrimary, onFound, onChosen }: PortalFormProps) => {
  const { portal } = useWords(firstRunWords);
  const act = useDesktopAction();
  const [url, setUrl] = useState(chosen?.url ?? '');
  const [pasted, setPasted] = useState('');
  const [isPlainConfirmed, setPlainConfirmed] = useState(chosen?.isPlainConfirmed ?? false);
  const [report, setReport] = useState<PortalReport | null>(null);
  const publicKey = pasted.trim();
  const isKey = publicKey === '' || portalKeyPattern.test(publicKey);
  const change = (what: () => void) => {
    setReport(null);
    onFound(false);
    what();
  };
  const lookUp = () =>
    act.run(async () => {
      setReport(null);
      const told = await callDesktop('firstRun.lookUpPortal', { url, publicKey, isPlainConfirmed });
      setReport(told);
      onFound(told.outcome === 'found');
    });
  const found = report?.outcome === 'found' ? report : null;
  const fault = report && report.outcome !== 'found' ? report : null;
  const confirm = () => {
    if (found) onChosen({ kind: 'connected', url: found.url, publicKey: found.publicKey, isPlainConfirmed });
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (found) confirm();
        else if (url.trim() !== '' && isKey) void lookUp();
      }}
    >
      <Stack>
        <TextInput
          label={portal.address}
          description={portal.addressHelp}
          value={url}
          onChange={({ currentTarget }) =>
            change(() => {
              setUrl(currentTarget.value);
              setPlainConfirmed(false);
            })
          }
          readOnly={act.isActing}
          placeholder="https://licenses.example.com"
          spellCheck={false}
          autoComplete="off"
          maxLength={500}
          required
        />
        <details className={classes.folded}>
          <summary>{portal.paste}</summary>
          <TextInput
            label={portal.key}
            description={portal.keyHelp}
            value={pasted}
            onChange={({ currentTarget }) => change(() => setPasted(currentTarget.value))}
            error={!isKey && portal.keyWrong}
            readOnly={act.isActing}
            spellCheck={false}
            autoComplete="off"
            maxLength={100}
          />
        </details>
        {fault && (
          <FailureAlert title={portal.faults[fault.outcome].title} detail={fault.detail}>
            <Text>{portal.faults[fault.outcome].text}</Text>
          </FailureAlert>
        )}
        {(fault?.outcome === 'plain' || isPlainConfirmed) && (
          <Checkbox
            label={portal.plainConfirm}
            checked={isPlainConfirmed}
            onChange={({ currentTarget }) => change(() => setPlainConfirmed(currentTarget.checked))}
          />
        )}
        {act.error !== null && <ActionFailed error={act.error} />}
        <div role="status">
          {found && (
            <Stack gap="xs">
              <Text>{publicKey === '' ? portal.compare : portal.matches}</Text>
              <Facts
                facts={[
                  { label: portal.foundAddress, value: <bdi>{found.url}</bdi> },
                  { label: portal.fingerprint, value: <Code>{found.fingerprint}</Code> },
                ]}
              />
            </Stack>
          )}
        </div>
        {found ? (
          <Button type="submit">{publicKey === '' ? portal.confirm : portal.use}</Button>
        ) : (
          <Button
            type="submit"
            variant={isPrimary ? 'filled' : 'default'}
            loading={act.isActing}
            disabled={url.trim() === '' || !isKey}
          >
            {portal.lookUp}
          </Button>
        )}
      </Stack>
    </form>
  );
};
