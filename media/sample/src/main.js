import { receipt } from './receipt.js';

console.log(
  receipt([
    { name: 'Rope 60 m', price: 18_900, quantity: 1 },
    { name: 'Carabiner', price: 1_250, quantity: 10 },
    { name: 'Chalk', price: 690, quantity: 2 },
  ]),
);
