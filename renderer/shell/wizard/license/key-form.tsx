import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import type { ActivationFailure } from '#contracts/license/license-answers.ts';
import { useSecondsLeft } from '../../../identity/use-countdown.ts';
import { callDesktop } from '../../../kit/api/desktop-bridge.ts';
import { useWords } from '../../../kit/language/use-words.ts';
import { licenseRemedyWords } from '../../../license/license-remedies.words.ts';
import {
  type LicenseTrouble,
  type Remedy,
  remedyOf,
  troubleOf,
  waitSecondsOf,
} from '../../../license/remedy.ts';
import { ActionFailed } from '../../../operations/action-failed.tsx';
import classes from '../../../operations/computer/desktop-actions/wizard.module.css';
import { wizardWords } from '../../../operations/computer/desktop-actions/wizard.words.ts';
import { useDesktopAction } from '../../../operations/use-desktop-action.ts';
import { WizardActions } from '../frame/wizard-frame.tsx';
import { keyShape } from '../key-shape.ts';
import { ActivationFailed } from './activation-failed.tsx';
import { BackButton } from './back-button.tsx';

/** Takes the purchased key, and binds the license to this machine. After a refusal, the button is the remedy. */
export const KeyForm = (props: {
  readonly typed: string;
  readonly onTyped: (key: string) => void;
  readonly onActivated: () => void;
  /** Null: the failure is over, such as after another key. */
  readonly onFailure: (failure: ActivationFailure | null) => void;
  /** For a remedy that leads to another view. */
  readonly onFollow: (remedy: Remedy, trouble: LicenseTrouble) => void;
  readonly onTransfer: () => void;
  /** Null if there is nothing to go back to. */
  readonly onBack: (() => void) | null;
}) => {
  const { typed, onTyped, onActivated, onFailure, onFollow, onTransfer, onBack } = props;
  const words = useWords(wizardWords);
  const remedyWords = useWords(licenseRemedyWords);
  const act = useDesktopAction();
  const field = useRef<HTMLInputElement>(null);
  const [failure, setFailure] = useState<ActivationFailure | null>(null);
  const secondsLeft = useSecondsLeft(waitSecondsOf(failure), failure);
  const shape = keyShape(typed);
  const trouble = failure && troubleOf(failure);
  const remedy = trouble && remedyOf(trouble);
  const fail = (told: ActivationFailure | null) => {
    setFailure(told);
    onFailure(told);
  };

  const activate = () =>
    act.run(async () => {
      fail(null);
      const report = await callDesktop('license.activate', { key: typed });
      if (report.outcome === 'activated') return onActivated();
      fail(report);
    });
  const submit = () => {
    if (secondsLeft > 0) return;
    if (trouble === null || remedy === null || remedy === 'try-again' || remedy === 'wait') {
      if (shape === 'right') void activate();
    } else if (remedy === 'correct-key' || remedy === 'enter-key') {
      fail(null);
      field.current?.select();
    } else onFollow(remedy, trouble);
  };
  const label = remedy === null || remedy === 'wait' ? words.activate : remedyWords.acts[remedy];

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Stack>
        <TextInput
          ref={field}
          className={classes.short}
          label={words.keyLabel}
          description={words.keyHelp}
          value={typed}
          onChange={({ currentTarget }) => {
            onTyped(currentTarget.value);
            if (failure && secondsLeft === 0) fail(null);
          }}
          error={(shape === 'mistyped' && words.keyMistyped) || (shape === 'several' && words.keySeveral)}
          autoComplete="off"
          spellCheck={false}
          maxLength={2000}
          required
          withAsterisk={false}
          data-autofocus
          autoFocus
        />
        <div role="status">
          {shape === 'short' && words.keyShort}
          {shape === 'right' && !failure && words.keyRight}
        </div>
        {failure && <ActivationFailed failure={failure} />}
        {remedy === 'find-license' && <Text>{remedyWords.findText}</Text>}
        {act.error !== null && <ActionFailed error={act.error} />}
        <WizardActions>
          <Button
            type="submit"
            loading={act.isActing}
            disabled={(shape !== 'right' && failure === null) || secondsLeft > 0}
          >
            {secondsLeft > 0 ? remedyWords.wait(secondsLeft) : label}
          </Button>
          {remedy !== 'transfer' && remedy !== 'find-license' && (
            <Button variant="subtle" onClick={onTransfer}>
              {words.toTransfer}
            </Button>
          )}
          {onBack && <BackButton onBack={onBack} />}
        </WizardActions>
      </Stack>
    </form>
  );
};
