import { PasswordInput } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import { useWords } from '../kit/language/use-words.ts';
import { accessWords } from './access/access.words.ts';

/** A password input with a hint while Caps Lock is on. */
export const PasswordField = ({
  isFirst = false,
  ...field
}: {
  readonly name: string;
  readonly label: string;
  readonly autoComplete: 'current-password' | 'new-password';
  readonly minLength?: number;
  readonly defaultValue?: string;
  readonly isFirst?: boolean;
  /** What is wrong with the input. */
  readonly error?: string;
}) => {
  const words = useWords(accessWords);
  const [isCapsLock, setIsCapsLock] = useState(false);
  const [isShown, setIsShown] = useState(false);
  const look = (event: KeyboardEvent) => setIsCapsLock(event.getModifierState('CapsLock'));
  return (
    <div>
      <PasswordInput
        {...field}
        required
        maxLength={1000}
        visible={isShown}
        onVisibilityChange={setIsShown}
        visibilityToggleButtonProps={{
          'aria-label': words.showPassword,
          'aria-pressed': isShown,
          tabIndex: 0,
        }}
        onKeyDown={look}
        onKeyUp={look}
        onBlur={() => setIsCapsLock(false)}
        {...(isFirst && { autoFocus: true, 'data-autofocus': true })}
      />
      <div role="status">{isCapsLock && words.capsLock}</div>
    </div>
  );
};
