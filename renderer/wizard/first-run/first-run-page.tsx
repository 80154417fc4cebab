import { Alert, Anchor, Button, Center, Loader, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { FirstRunState } from '#contracts/desktop-first-run.ts';
import { Trouble } from '../../design/trouble.tsx';
import { callDesktop } from '../../desktop/desktop-bridge.ts';
import { useFormat } from '../../language/use-format.ts';
import { useWords } from '../../language/use-words.ts';
import { ActionFailed } from '../action-failed.tsx';
import { FailureAlert } from '../failure-alert.tsx';
import { WizardActions, WizardFrame } from '../frame/wizard-frame.tsx';
import { AdvancedChoices } from './advanced-choices.tsx';
import { firstRunWords } from './first-run.words.ts';
import { HomeField } from './home-field.tsx';
import { lacksPostgres } from './lacks-postgres.ts';
import { PortalField } from './portal-choice.tsx';
import { SetUpProgress } from './set-up-progress.tsx';
import { useFirstRunForm } from './use-first-run-form.ts';

const librariesPage = 'https://aka.ms/vs/17/release/vc_redist.x64.exe';

interface StateProps {
  readonly state: FirstRunState;
  readonly onAgain: () => void;
}

/** Obstacles that must be removed before anything else. */
const Obstacles = ({ state, onAgain }: StateProps) => {
  const words = useWords(firstRunWords);
  const format = useFormat();
  const { goneHome, damagedRecord, missingLibraries, unspellableFolder } = state;
  return (
    <>
      {damagedRecord !== null && (
        <FailureAlert title={words.damaged} detail={damagedRecord}>
          <Text>{words.damagedText}</Text>
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
          <Choices state={state} />
        </>
      )}
    </WizardFrame>
  );
};
