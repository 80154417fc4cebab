import { expect, test } from 'vitest';
import { minecraftSaves } from './saves.ts';

const { pause } = minecraftSaves;
if (!pause) throw new Error('Minecraft can pause');

// Guarantee: only the game's own message, in each version's words, proves that it stopped saving.
test.each([
  ['Automatic saving is now disabled', 'paused'],
  ['Automatic saving is now disabled\n', 'paused'],
  ['§6Automatic saving is now disabled§r', 'paused'],
  ['Turned off world auto-saving', 'paused'],
  ['Saving is already turned off', 'already'],
  ['Saving is already turned off.', 'already'],
  ['Unknown or incomplete command, see below for error\nsave-off<--[HERE]', 'saving'],
  ['Unknown or incomplete command, see below for errorsave-off<--[HERE]', 'saving'],
  ['Unknown command. Type "/help" for help.', 'saving'],
  ['Unknown command. Try /help for a list of commands', 'saving'],
  ['', 'unproven'],
  ['ok', 'unproven'],
  ['Automatic saving is now enabled', 'unproven'],
  ['Steve: Automatic saving is now disabled', 'unproven'],
  ['Automatic saving is now disabledAutomatic saving is now disabled', 'unproven'],
])('%j', (reply, state) => {
  expect(pause.readStop(reply).state).toBe(state);
});

// Guarantee: a flush is proven in each version's words, with and without line ends; a full disk is not a save.
test.each([
  ['Saving the game (this may take a moment!)\nSaved the game', 'done'],
  ['Saving the game (this may take a moment!)Saved the game', 'done'],
  ['Saving...Flushing all saves...Flushing completedSaved the world', 'done'],
  ['Saving...\nFlushing all saves...\nFlushing completed\nSaved the world', 'done'],
  ['Saving the game (this may take a moment!)Unable to save the game (is there enough disk space?)', 'later'],
  ['Saving...Flushing all saves...Saving failed: x', 'later'],
  ['Unknown command', 'failed'],
  ['Saving the game (this may take a moment!)', 'unproven'],
  ['', 'unproven'],
])('%j', (reply, verdict) => {
  expect(pause.readSave(reply).verdict).toBe(verdict);
});
