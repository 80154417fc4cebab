import { Group, Text, Title, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { product } from '#contracts/kernel/product.ts';
import { Tower } from '../../../kit/design/mark.tsx';
import { useWords } from '../../../kit/language/use-words.ts';
import { useTitle } from '../../access/auth-layout.tsx';
import { ColourMenu } from '../../colour-menu.tsx';
import { LanguageMenu } from '../../language-menu.tsx';
import { frameWords } from './frame.words.ts';
import classes from './wizard-frame.module.css';

/** The steps between an installed program and the panel. */
const wizardSteps = ['computer', 'license', 'owner'] as const;
type WizardStep = (typeof wizardSteps)[number];

/** The progress of the first run, visible and audible. */
const WizardSteps = ({ present }: { readonly present: WizardStep }) => {
  const words = useWords(frameWords);
  const at = wizardSteps.indexOf(present);
  return (
    <nav aria-label={words.steps}>
      <VisuallyHidden role="status">
        {words.place(at + 1, wizardSteps.length)}: {words.names[present]}
      </VisuallyHidden>
      <ol className={classes.steps}>
        {wizardSteps.map((step, index) => (
          <li
            key={step}
            className={classes.step}
            data-reached={index <= at || undefined}
            aria-current={index === at ? 'step' : undefined}
          >
            {index + 1}. {words.names[step]}
            {index < at && <VisuallyHidden> ({words.done})</VisuallyHidden>}
          </li>
        ))}
      </ol>
    </nav>
  );
};

/** The desktop's window before the panel: as tall as the window, so that larger content scrolls inside it. */
export const WizardFrame = (props: {
  readonly title: string;
  /** The step of the first run; absent once that is over. */
  readonly step?: WizardStep | undefined;
  readonly children: ReactNode;
}) => {
  const { title, step, children } = props;
  const words = useWords(frameWords);
  const place = step && words.place(wizardSteps.indexOf(step) + 1, wizardSteps.length);
  useTitle(`${place ? `${title} – ${place}` : title} – Castellan`);
  return (
    <main className={classes.frame}>
      <Group className={classes.header ?? ''} justify="space-between">
        <Group gap={8}>
          <Tower size={24} />
          <Text fw={600} size="lg" component="span">
            {product.name}
          </Text>
        </Group>
        <Group gap={4}>
          <ColourMenu />
          <LanguageMenu />
        </Group>
      </Group>
      <div className={classes.scroll}>
        <div className={classes.column}>
          {step && <WizardSteps present={step} />}
          <Title order={1}>{title}</Title>
          {children}
        </div>
      </div>
    </main>
  );
};

/** The buttons of a step: the primary one first. They stay visible while the content above them scrolls. */
export const WizardActions = ({ children }: { readonly children: ReactNode }) => (
  <Group className={classes.actions ?? ''} gap="xs">
    {children}
  </Group>
);
