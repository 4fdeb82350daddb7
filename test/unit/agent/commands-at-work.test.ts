import { expect, test } from 'vitest';
import { CommandsAtWork } from '#agent/commands-at-work';

test('a command alone has no others', () => {
  const atWork = new CommandsAtWork();
  atWork.begin('make').dispose();
  const alone = atWork.begin('npm test');
  expect(alone.others()).toEqual([]);
});

test('whoever ran at any moment of a command is among its others, also when it has ended since', () => {
  const atWork = new CommandsAtWork();
  const server = atWork.begin('npm start');
  const tests = atWork.begin('npm test');
  const format = atWork.begin('npm run format');
  server.dispose();
  format.dispose();
  const last = atWork.begin('ls');
  expect({
    server: server.others(),
    tests: tests.others(),
    format: format.others(),
    last: last.others(),
  }).toEqual({
    server: ['npm test', 'npm run format'],
    tests: ['npm start', 'npm run format', 'ls'],
    format: ['npm start', 'npm test'],
    last: ['npm test'],
  });
});

test('the same command twice at once is another than itself', () => {
  const atWork = new CommandsAtWork();
  const [one, two] = [atWork.begin('make'), atWork.begin('make')];
  expect([one.others(), two.others()]).toEqual([['make'], ['make']]);
});

test('a server that runs all day remembers only some of the commands beside it', () => {
  const atWork = new CommandsAtWork();
  const server = atWork.begin('npm start');
  for (let n = 1; n <= 1000; n++) atWork.begin(`true ${n}`).dispose();
  expect(server.others()).toHaveLength(20);
});

test('ending twice ends nobody else', () => {
  const atWork = new CommandsAtWork();
  const one = atWork.begin('make');
  const two = atWork.begin('make');
  one.dispose();
  one.dispose();
  expect(two.others()).toEqual(['make']);
  expect(atWork.begin('ls').others()).toEqual(['make']);
});
