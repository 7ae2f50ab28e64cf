/**
 * A key by keyboard alone, through the command menu: every key press has an effect that the person can see, and the focus is
 * never lost.
 *
 * Slow: it uses the console in a browser with the whole service.
 */
import keyTexts from '../../content/console/keys.json';
import shellTexts from '../../content/console/shell.json';
import { expectAccessible, Person, setUpStage } from './stage';

const { texts: keys } = keyTexts;
const { commands } = shellTexts.texts;

setUpStage();

/** A person presses two keys a second, so a task within 30 s takes so many at most. */
const mostKeys = 60;

test('a person makes a key by keyboard alone, and never loses the focus', async () => {
  const { page, errors, open, leave } = await Person.signUp('keyboard@example.com');
  await open('');
  // A page that opens or a dialog that closes moves the focus a moment later.
  const keepsFocus = () =>
    page.waitForFunction(() => {
      const element = document.activeElement;
      return element && element !== document.body && element.getClientRects().length > 0;
    });
  let keysPressed = 0;
  const press = async (key: string) => {
    keysPressed++;
    await page.keyboard.press(key);
    await keepsFocus();
  };
  const type = async (text: string) => {
    keysPressed += text.length;
    await page.keyboard.type(text);
  };
  await press('Control+k');
  const menu = page.getByRole('combobox', { name: commands.label });
  await menu.waitFor();
  await type('create key');
  await page.getByRole('option', { name: commands.actions.createKey.label, selected: true }).waitFor();
  await page.keyboard.press('Enter');
  const name = page.getByLabel(keys.create.name);
  await name.waitFor();
  await page.waitForFunction(() => document.activeElement?.matches('input[name="name"]'));
  await type('By keyboard');
  await press('Enter');
  const shown = page.getByRole('region', { name: keys.made.label });
  expect(await shown.innerText()).toMatch(/^presenza_test_/);
  // From the key to the button that closes the dialog.
  const done = page.getByRole('button', { name: keys.made.action });
  while (!(await done.evaluate((element) => element === document.activeElement))) await press('Tab');
  await press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('rowheader', { name: 'By keyboard' }).waitFor();
  await keepsFocus();
  expect(keysPressed).toBeLessThanOrEqual(mostKeys);
  expect(errors).toEqual([]);
  await leave();
});

test('the command menu names what it found, moves by arrows and leaves the focus where it was', async () => {
  const { page, errors, open, leave } = await Person.signUp('menu@example.com');
  await open('/settings');
  await page.getByRole('button', { name: commands.open }).click();
  const field = page.getByRole('combobox', { name: commands.label });
  await field.waitFor();
  await expectAccessible(page);
  const selected = page.getByRole('option', { selected: true });
  const first = await selected.innerText();
  await page.keyboard.press('ArrowDown');
  const second = await selected.innerText();
  expect(second).not.toBe(first);
  expect(await selected.getAttribute('id')).toBe(await field.getAttribute('aria-activedescendant'));
  await page.keyboard.press('ArrowUp');
  expect(await selected.innerText()).toBe(first);
  await field.fill('nothing like this');
  await page.getByRole('status').filter({ hasText: 'nothing like this' }).waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(
    await page.getByRole('button', { name: commands.open }).evaluate((e) => e === document.activeElement),
  ).toBe(true);
  expect(errors).toEqual([]);
  await leave();
});
