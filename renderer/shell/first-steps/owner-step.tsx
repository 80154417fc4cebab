import { Text } from '@mantine/core';
import { useWords } from '../../kit/language/use-words.ts';
import { firstStepsWords } from './first-steps.words.ts';

/** Anyone who reads it has signed in, so it is done. */
export const OwnerStep = () => <Text>{useWords(firstStepsWords).owner}</Text>;
