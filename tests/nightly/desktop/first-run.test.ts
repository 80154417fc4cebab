// @module-tag desktop

import { openDesktopMachine } from '#harness/desktop.ts';
import { testFirstRun } from './first-run.ts';

testFirstRun(() => openDesktopMachine({ isNew: true }));
