import {
  Alert,
  Anchor,
  Box,
  Button,
  Center,
  Group,
  Loader,
  Stack,
  Switch,
  Text,
  TextInput,
} from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { FirstRunState, SetUpStage } from '#contracts/desktop/desktop-first-run.ts';
import { folderFindingWords } from '#contracts/operations/folder-findings.ts';
import { callDesktop, onDesktop } from '../../../kit/api/desktop-bridge.ts';
import { StateLabel } from '../../../kit/design/state-label.tsx';
import { Trouble } from '../../../kit/design/trouble.tsx';
import { useFormat } from '../../../kit/language/use-format.ts';
import { useWords } from '../../../kit/language/use-words.ts';
import { ActionFailed } from '../../../operations/action-failed.tsx';
import { FailureAlert } from '../../../operations/computer/desktop-actions/failure-alert.tsx';
import {
  FindingDetail,
  FolderWarningText,
} from '../../../operations/computer/desktop-actions/folder-finding.tsx';
import classes from '../../../operations/computer/desktop-actions/wizard.module.css';
import { firstRunWords } from '../../../operations/computer/network/first-run.words.ts';
import { WizardActions, WizardFrame } from '../frame/wizard-frame.tsx';
import { AdvancedChoices } from './advanced-choices.tsx';
import { PortalField } from './portal-choice.tsx';
import { type FirstRunForm, useFirstRunForm } from './use-first-run-form.ts';

/** The completed and current steps of the setup, in plain words. */
const SetUpProgress = () => {
  const { stages: words, stagesText } = useWords(firstRunWords);
  const [stages, setStages] = useState<readonly SetUpStage[]>([]);
  const list = useRef<HTMLDivElement>(null);
  useEffect(
    () => onDesktop('firstRun.progress', ({ stage }) => setStages((before) => [...before, stage])),
    [],
  );
  // The button that led here is gone.
  useEffect(() => list.current?.focus(), []);
  return (
    <Stack ref={list} tabIndex={-1} className={classes.step} gap="sm" role="status">
      <Text>{stagesText}</Text>
      {stages.map((stage, index) => {
        const isDone = index < stages.length - 1;
        return (
          <StateLabel key={stage} tone={isDone ? 'ok' : 'busy'} isPlain>
            {words[stage]}
          </StateLabel>
        );
      })}
    </Stack>
  );
};

/** Whether the database could not run on this machine, whatever is selected. */
const lacksPostgres = ({ missingLibraries, unspellableFolder }: FirstRunState): boolean =>
  missingLibraries.length > 0 || unspellableFolder !== null;

/** Whether the stack is there after the next start of the computer. */
const AutostartField = ({ form }: { readonly form: FirstRunForm }) => {
  const { network } = useWords(firstRunWords);
  return (
    <Switch
      label={network.autostart}
      description={network.autostartText}
      checked={form.draft.autostart}
      onChange={({ currentTarget }) => form.setAutostart(currentTarget.checked)}
      disabled={form.isActing}
    />
  );
};

/** The folder for database, backups, logs and settings. */
const HomeField = ({ state, form }: { readonly state: FirstRunState; readonly form: FirstRunForm }) => {
  const { folder } = useWords(firstRunWords);
  const { draft, home, isActing } = form;
  const findings = useWords(folderFindingWords);
  const fault = home && 'detail' in home ? home : null;
  const warnings = home?.outcome === 'new' ? home.warnings : [];
  return (
    <Stack gap="xs">
      <TextInput
        label={folder.label}
        description={folder.text}
        value={draft.home}
        onChange={({ currentTarget }) => form.setHome(currentTarget.value)}
        error={fault && { ...findings, ...folder.wrong }[fault.outcome]}
        inputContainer={(input) => (
          <Group gap="xs" wrap="nowrap" align="flex-end">
            <Box flex={1}>{input}</Box>
            <Button variant="default" onClick={form.chooseHome} disabled={isActing}>
              {folder.choose}
            </Button>
            {draft.home !== state.usualHome && (
              <Button variant="subtle" onClick={() => form.setHome(state.usualHome)} disabled={isActing}>
                {folder.usual}
              </Button>
            )}
          </Group>
        )}
        readOnly={isActing}
        spellCheck={false}
        autoComplete="off"
        maxLength={1000}
        required
        withAsterisk={false}
        autoFocus
      />
      {fault && <FindingDetail finding={fault} />}
      <div role="status">
        {warnings.map((warning) => (
          <FolderWarningText key={warning.code} warning={warning} />
        ))}
        {form.isTakenUp && (
          <StateLabel tone="ok" isPlain>
            {folder.takenUp}
          </StateLabel>
        )}
      </div>
    </Stack>
  );
};

const librariesPage = 'https://aka.ms/vs/17/release/vc_redist.x64.exe';

/** Obstacles that must be removed before anything else. */
const Obstacles = ({ state, onAgain }: { readonly state: FirstRunState; readonly onAgain: () => void }) => {
  const words = useWords(firstRunWords);
  const format = useFormat();
  const { goneHome, noAccess, damagedRecord, missingLibraries, unspellableFolder, programsWarnings } = state;
  return (
    <>
      {damagedRecord !== null && (
        <FailureAlert title={words.damaged} detail={damagedRecord}>
          <Text>{words.damagedText}</Text>
        </FailureAlert>
      )}
      {noAccess !== null && (
        <FailureAlert title={words.noAccess} detail={noAccess}>
          <Text>{words.noAccessText}</Text>
          <Button size="xs" variant="default" onClick={() => location.reload()}>
            {words.tryAgain}
          </Button>
        </FailureAlert>
      )}
      {goneHome !== null && (
        <Alert color="var(--tone-warn)" variant="outline" role="alert">
          <Stack gap="xs" align="flex-start">
            <Text>{words.gone(goneHome)}</Text>
            <Button size="xs" variant="default" onClick={() => location.reload()}>
              {words.tryAgain}
            </Button>
          </Stack>
        </Alert>
      )}
      {unspellableFolder !== null && (
        <FailureAlert title={words.unspellable} detail={unspellableFolder}>
          <Text>{words.unspellableText}</Text>
        </FailureAlert>
      )}
      {programsWarnings.map((warning) => (
        <Alert key={warning.code} color="var(--tone-warn)" variant="outline" title={words.programsFolder}>
          <FindingDetail finding={warning} />
        </Alert>
      ))}
      {missingLibraries.length > 0 && (
        <FailureAlert title={words.libraries}>
          <Text>{words.librariesText(format.list(missingLibraries))}</Text>
          <Anchor href={librariesPage} target="_blank" rel="noreferrer">
            {words.librariesLink}
          </Anchor>
          <Button size="xs" variant="default" onClick={onAgain}>
            {words.tryAgain}
          </Button>
        </FailureAlert>
      )}
    </>
  );
};

/** All questions before there is an installation; the defaults are right for most people. */
const Choices = ({ state }: { readonly state: FirstRunState }) => {
  const words = useWords(firstRunWords);
  const form = useFirstRunForm(state);
  const { portal, isTakenUp, refusal, error } = form;
  if (form.isSettingUp) return <SetUpProgress />;
  const compares =
    form.asksPortal && portal.kind === 'connected' && portal.found !== null && portal.pasted.trim() === '';
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void form.goOn();
      }}
    >
      <Stack gap="md">
        <HomeField state={state} form={form} />
        <AutostartField form={form} />
        {form.asksPortal && <PortalField state={state} form={form} />}
        {!isTakenUp && <AdvancedChoices state={state} form={form} />}
        {refusal !== null && (
          <FailureAlert title={words.refused} detail={refusal}>
            {null}
          </FailureAlert>
        )}
        {error !== null && <ActionFailed error={error} />}
        <WizardActions>
          <Button type="submit" loading={form.isActing} disabled={lacksPostgres(state)}>
            {compares ? words.portal.confirm : isTakenUp ? words.takeUp : words.next}
          </Button>
        </WizardActions>
      </Stack>
    </form>
  );
};

/** Before there is anything to start: the choices of this machine's owner. */
export const FirstRunPage = () => {
  const words = useWords(firstRunWords);
  const [state, setState] = useState<FirstRunState | null>(null);
  const [error, setError] = useState<unknown>(null);
  const look = () =>
    callDesktop('firstRun.state', undefined).then(
      (known) => {
        setError(null);
        setState(known);
      },
      (failure: unknown) => setError(failure),
    );
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page is new
  useEffect(() => void look(), []);
  return (
    <WizardFrame title={words.title} step="computer">
      <Text c="dimmed">{words.text}</Text>
      {error !== null && <Trouble error={error} onRetry={look} />}
      {state === null ? (
        error === null && (
          <Center>
            <Loader role="status" aria-label={words.checking} />
          </Center>
        )
      ) : (
        <>
          <Obstacles state={state} onAgain={look} />
          {state.noAccess === null && <Choices state={state} />}
        </>
      )}
    </WizardFrame>
  );
};
