import { Button, type ButtonProps, Loader, VisuallyHidden } from '@mantine/core';
import { type ReactNode, useId } from 'react';

/** Keeps the focus while it is inactive, and says why: a disabled button loses the focus. */
export const ReasonedButton = (
  props: Pick<ButtonProps, 'variant' | 'size' | 'color' | 'leftSection'> & {
    /** Why it is disabled now; null: it acts. */
    readonly reason: string | null;
    readonly isActing?: boolean;
    readonly label?: string;
    readonly onClick: () => void;
    readonly children: ReactNode;
  },
) => {
  const { reason, isActing = false, label, onClick, children, leftSection, ...rest } = props;
  const id = useId();
  const isIdle = reason !== null || isActing;
  return (
    <>
      <Button
        {...rest}
        leftSection={isActing ? <Loader size={16} color="currentColor" aria-hidden /> : leftSection}
        {...(label !== undefined && { 'aria-label': label })}
        {...(isIdle && { 'data-disabled': true, 'aria-disabled': true })}
        {...(reason !== null && { title: reason, 'aria-describedby': id })}
        onClick={(event) => {
          if (isIdle) event.preventDefault();
          else onClick();
        }}
      >
        {children}
      </Button>
      {reason !== null && <VisuallyHidden id={id}>{reason}</VisuallyHidden>}
    </>
  );
};
